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

import io.github.hybridhbase.metrics.WriterCapability;
import io.github.hybridhbase.metrics.WriterShortfall;
import java.util.ArrayList;
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
 * The required capabilities of a server's WAL writers that are not in force, with causes.
 * Immutable.
 */
@InterfaceAudience.Private
public final class WriterStatus {
  private static final String OTHER_HBASE =
      "Run a line of HBase that docs/versions.md names, or set hbase.hybrid.wal.hsync=stock and"
          + " rely on what HBase does by itself.";

  private static final class Cause {
    final String why;
    final String remedy;
    final Set<WriterCapability> lacked = EnumSet.noneOf(WriterCapability.class);

    Cause(String why, String remedy) {
      this.why = why;
      this.remedy = remedy;
    }
  }

  private final Set<WriterCapability> missing;
  private final List<WriterShortfall> shortfalls;

  private WriterStatus(Set<WriterCapability> missing, List<WriterShortfall> shortfalls) {
    this.missing = missing;
    this.shortfalls = List.copyOf(shortfalls);
  }

  /** Evaluates the facts; pure. */
  public static WriterStatus of(WriterFacts facts) {
    Map<String, Cause> causes = new LinkedHashMap<>();
    Set<WriterCapability> missing = EnumSet.noneOf(WriterCapability.class);
    for (WriterCapability capability : WriterCapability.values()) {
      if (facts.asked.contains(capability)) {
        cause(capability, facts)
            .ifPresent(
                cause -> {
                  missing.add(capability);
                  causes.computeIfAbsent(cause.why, why -> cause).lacked.add(capability);
                });
      }
    }
    List<WriterShortfall> shortfalls = new ArrayList<>();
    causes
        .values()
        .forEach(
            cause -> shortfalls.add(WriterShortfall.of(cause.lacked, cause.why, cause.remedy)));
    return new WriterStatus(missing, shortfalls);
  }

  private static Optional<Cause> cause(WriterCapability capability, WriterFacts facts) {
    if (!facts.provided.contains(capability)) {
      return Optional.of(configured(facts));
    }
    if (!facts.lacking.isEmpty()) {
      return Optional.of(
          new Cause(
              "This HBase has no " + facts.lacking + ", which the plugin's writer replaces.",
              OTHER_HBASE));
    }
    // An opened WAL counts more than the prediction that the delegate is out of reach.
    if (facts.made == WriterFacts.Made.NOT_YET && !facts.unreached.isEmpty()) {
      return Optional.of(unreached(facts.unreached));
    }
    if (facts.made == WriterFacts.Made.OTHERS) {
      return Optional.of(
          facts.unreached.isEmpty()
              ? new Cause(
                  "HBase opened its WAL with a writer that is not the plugin's"
                      + (facts.key.isEmpty() ? "." : ", though " + facts.key + " names that."),
                  OTHER_HBASE)
              : unreached(facts.unreached));
    }
    if (capability == WriterCapability.COALESCING && !facts.fields) {
      return Optional.of(
          new Cause(
              "AsyncProtobufLogWriter of this HBase lacks the fields that are replaced for it.",
              OTHER_HBASE));
    }
    if (capability == WriterCapability.AUTO && !facts.unknownOutput.isEmpty()) {
      return Optional.of(
          new Cause(
              "WALs are written through "
                  + facts.unknownOutput
                  + ", which does not tell on what media the replicas are.",
              "Have hbase.wal.dir (or hbase.rootdir) name an HDFS itself, or set"
                  + " hbase.hybrid.wal.hsync=stock."));
    }
    if (capability != WriterCapability.COALESCING && !facts.metaProvider.isEmpty()) {
      return Optional.of(
          new Cause(
              "hbase:meta's WAL is not the plugin's: "
                  + WALFactory.META_WAL_PROVIDER
                  + "="
                  + facts.metaProvider
                  + " has HBase make it with its own writer.",
              "Remove "
                  + WALFactory.META_WAL_PROVIDER
                  + " from hbase-site.xml of every RegionServer, and restart them: hbase:meta then"
                  + " has the provider of the other WALs."));
    }
    return Optional.empty();
  }

  private static Cause configured(WriterFacts facts) {
    boolean encrypts = facts.configured.endsWith("ProtobufLogWriter") && secure(facts.configured);
    return new Cause(
        facts.key + "=" + facts.configured + " takes the place of the plugin's writer.",
        encrypts
            ? "HBase 2.6 encrypts without it: remove the key there,"
                + " hbase.regionserver.wal.encryption=true is enough. HBase 2.5 encrypts WALs by"
                + " that class only: keep it there, use hbase.hybrid.mode=prefer, and set"
                + " hbase.hybrid.wal.hsync=stock, and hbase.hybrid.wal.policy and"
                + " hbase.hybrid.master.policy to HOT or NONE, since a WAL that SSD refuses has no"
                + " fall-back."
            : "Remove "
                + facts.key
                + " from hbase-site.xml of every master and RegionServer, and restart them.");
  }

  private static boolean secure(String name) {
    return name.substring(name.lastIndexOf('.') + 1).startsWith("Secure");
  }

  private static Cause unreached(String why) {
    return new Cause(
        "The groups of multiwal keep HBase's writers: " + why + ".",
        "Set hbase.hybrid.wal.delegate=asyncfs, or fix what it names, and restart.");
  }

  boolean lacks(WriterCapability capability) {
    return missing.contains(capability);
  }

  public List<WriterShortfall> shortfalls() {
    return shortfalls;
  }

  /** Whether {@code hbase.hybrid.mode=require} refuses a start: coalescing only concerns speed. */
  boolean refuses() {
    return lacks(WriterCapability.FALLBACK) || lacks(WriterCapability.AUTO);
  }

  /** Cause and remedy of a refusal; empty if {@link #refuses} is false. */
  Optional<String> refusal() {
    return Optional.of(
            "hbase.hybrid.mode=require: what follows would not be in force, so this server does not"
                + " start. Fix it, or set hbase.hybrid.mode=prefer. "
                + shortfalls.stream().map(String::valueOf).collect(Collectors.joining(" ")))
        .filter(text -> refuses());
  }

  Set<WriterCapability> missing() {
    return missing;
  }
}
