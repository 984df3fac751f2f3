/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.hybridhbase.wal;

import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.WriterShortfall;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The capabilities that a server's WAL writers are asked for, and why some are not in force: judged
 * before a WAL is opened ({@code WriterKind.support}), and corrected by the first one. Immutable.
 */
@InterfaceAudience.Private
public final class WriterSupport {
  /** What configuration and HBase allow. Not changed after it is filled. */
  static final class Facts {
    Set<WriterShortfall.Capability> asked = Set.of();

    /** Key of the writer's class; "" if unknown. */
    String key = "";

    /** Class that the site file sets there; "" for none, that is the plugin's. */
    String configured = "";

    Set<WriterShortfall.Capability> provided = Set.of(WriterShortfall.Capability.values());

    /** Method of this HBase that the plugin's writer needs but that is missing; otherwise "". */
    String lacking = "";

    /** Whether this HBase has the fields that coalescing replaces. */
    boolean fields = true;

    /** Provider that the site file names for hbase:meta's WAL; "" if that is the plugin. */
    String metaProvider = "";

    /** Why the delegate does not see the plugin's writers; "" if it does. */
    String unreached = "";
  }

  private enum Opened {
    NOT_YET,
    BY_PLUGIN,
    BY_HBASE
  }

  private static final class Reason {
    final String cause;
    final String remedy;

    Reason(String name, Object... facts) {
      List<String> words = FindingId.causeAndRemedy("writer." + name, facts);
      this.cause = words.get(0);
      this.remedy = words.get(1);
    }
  }

  private final Facts facts;
  private final Opened opened;
  private final String unknownOutput;

  private final Map<WriterShortfall.Capability, Reason> missing =
      new EnumMap<>(WriterShortfall.Capability.class);

  private WriterSupport(Facts facts, Opened opened, String unknownOutput) {
    this.facts = facts;
    this.opened = opened;
    this.unknownOutput = unknownOutput;
    for (WriterShortfall.Capability capability : facts.asked) {
      Reason reason = reason(capability);
      if (reason != null) {
        missing.put(capability, reason);
      }
    }
  }

  /** Before a WAL is opened. */
  static WriterSupport of(Facts facts) {
    return new WriterSupport(facts, Opened.NOT_YET, "");
  }

  /**
   * Returns what is in force once the plugin's writer has opened a WAL.
   *
   * @param output class of the output if its pipeline is unknown, otherwise ""
   */
  WriterSupport opened(String output) {
    return new WriterSupport(facts, Opened.BY_PLUGIN, output);
  }

  /** Returns what is in force once a WAL is open and the plugin's writer has opened none. */
  WriterSupport openedByHBase() {
    return opened == Opened.BY_PLUGIN ? this : new WriterSupport(facts, Opened.BY_HBASE, "");
  }

  private Reason reason(WriterShortfall.Capability capability) {
    if (!facts.provided.contains(capability)) {
      return otherWriter();
    }
    if (!facts.lacking.isEmpty()) {
      return new Reason("lacking", facts.lacking);
    }
    // An opened WAL counts more than the prediction that the delegate is out of reach.
    if (opened != Opened.BY_PLUGIN && !facts.unreached.isEmpty()) {
      return new Reason("unreached", facts.unreached);
    }
    if (opened == Opened.BY_HBASE) {
      return facts.key.isEmpty() ? new Reason("hbase") : new Reason("hbase-despite", facts.key);
    }
    if (capability == WriterShortfall.Capability.COALESCING) {
      return facts.fields ? null : new Reason("fields");
    }
    if (capability == WriterShortfall.Capability.AUTO && !unknownOutput.isEmpty()) {
      return new Reason("output", unknownOutput);
    }
    return facts.metaProvider.isEmpty()
        ? null
        : new Reason("meta", WALFactory.META_WAL_PROVIDER, facts.metaProvider);
  }

  private Reason otherWriter() {
    String name = facts.configured.substring(facts.configured.lastIndexOf('.') + 1);
    boolean encrypts = name.startsWith("Secure") && name.endsWith("ProtobufLogWriter");
    return new Reason(encrypts ? "encrypts" : "other", facts.key, facts.configured);
  }

  /** What is not in force, one entry for each cause. */
  public List<WriterShortfall> shortfalls() {
    Map<String, Set<WriterShortfall.Capability>> causes = new LinkedHashMap<>();
    missing.forEach(
        (capability, reason) ->
            causes
                .computeIfAbsent(
                    reason.cause, any -> EnumSet.noneOf(WriterShortfall.Capability.class))
                .add(capability));
    List<WriterShortfall> shortfalls = new ArrayList<>();
    causes.forEach(
        (cause, lacked) ->
            shortfalls.add(
                WriterShortfall.of(lacked, cause, missing.get(lacked.iterator().next()).remedy)));
    return shortfalls;
  }

  /** Whether {@code require} refuses a start: coalescing only concerns speed. */
  boolean refuses() {
    return missing.containsKey(WriterShortfall.Capability.FALLBACK)
        || missing.containsKey(WriterShortfall.Capability.AUTO);
  }

  /** Empty if {@link #refuses} is false. */
  Optional<String> refusal() {
    return refuses()
        ? Optional.of(
            "hbase.hybrid.mode=require: what follows would not be in force, so this server does not"
                + " start. Fix it, or set hbase.hybrid.mode=prefer. "
                + shortfalls().stream().map(String::valueOf).collect(Collectors.joining(" ")))
        : Optional.empty();
  }
}
