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
import java.util.Set;
import java.util.function.Consumer;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The facts about one server's WAL writers: what is required, what configuration and HBase allow,
 * and which writer opened the WALs. Immutable: only {@link #with} changes fields, of a fresh copy.
 */
@InterfaceAudience.Private
public final class WriterFacts implements Cloneable {
  enum Made {
    NOT_YET,
    OURS,
    OTHERS
  }

  Set<WriterCapability> asked;

  /** Key of the writer's class; "" if unknown. */
  String key;

  /** Class that the site file sets there; "" for none, that is the plugin's. */
  String configured = "";

  Set<WriterCapability> provided = Set.of(WriterCapability.values());

  /** Method of this HBase that the plugin's writer needs but that is missing; otherwise "". */
  String lacking = "";

  /** Whether this HBase has the fields that coalescing replaces. */
  boolean fields = true;

  /** Provider that the site file names for hbase:meta's WAL; "" if that is the plugin. */
  String metaProvider = "";

  /** Why the delegate does not see the plugin's writers; "" if it does. */
  String unreached = "";

  Made made = Made.NOT_YET;

  /** Class of the output whose pipeline is unknown; otherwise "". */
  String unknownOutput = "";

  private WriterFacts() {}

  static WriterFacts asking(Set<WriterCapability> asked, String key) {
    WriterFacts facts = new WriterFacts();
    facts.asked = Set.copyOf(asked);
    facts.key = key;
    return facts;
  }

  private WriterFacts with(Consumer<WriterFacts> change) {
    try {
      WriterFacts copy = (WriterFacts) clone();
      change.accept(copy);
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  WriterFacts configured(String name, Set<WriterCapability> can) {
    return with(
        copy -> {
          copy.configured = name;
          copy.provided = Set.copyOf(can);
        });
  }

  WriterFacts linked(String without, boolean hasFields) {
    return with(
        copy -> {
          copy.lacking = without;
          copy.fields = hasFields;
        });
  }

  WriterFacts metaBy(String provider) {
    return with(copy -> copy.metaProvider = provider);
  }

  WriterFacts unreached(String why) {
    return with(copy -> copy.unreached = why);
  }

  /**
   * @param output class of the output if its pipeline is unknown, otherwise ""
   */
  WriterFacts opened(String output) {
    return with(
        copy -> {
          copy.made = Made.OURS;
          copy.unknownOutput = output;
        });
  }

  WriterFacts openedByOthers() {
    return with(
        copy -> {
          copy.made = Made.OTHERS;
          copy.unknownOutput = "";
        });
  }
}
