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
 * What is known of the writers of one server's WALs: what is asked of them, what the configuration
 * and this HBase allow, and what was made in the end. Immutable: fields change only in a copy that
 * nobody has seen yet ({@link #with}).
 */
@InterfaceAudience.Private
public final class WriterFacts implements Cloneable {
  /** Whose writer the server's WALs were opened with. */
  enum Made {
    NOT_YET,
    OURS,
    OTHERS
  }

  Set<WriterCapability> asked;

  /** Key from which HBase takes the class of the writer; "" where that is not known. */
  String key;

  /** Class that the site names there; "" for none, and then it is the plugin's. */
  String configured = "";

  /** What that class can do. */
  Set<WriterCapability> provided = Set.of(WriterCapability.values());

  /** What of this HBase the plugin's writer cannot do without; "" where all is there. */
  String lacking = "";

  /** Whether the fields that coalescing replaces are there. */
  boolean fields = true;

  /** Provider that the site names for hbase:meta's WAL; "" where that is the plugin. */
  String metaProvider = "";

  /** Why the delegate does not see the plugin's choice; "" where it does. */
  String unreached = "";

  Made made = Made.NOT_YET;

  /** Class of the output whose pipeline is not known; "" where it is known, or none was opened. */
  String unknownOutput = "";

  private WriterFacts() {}

  /** Facts of a server that asks for these, with nothing in the way. */
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

  /** The site names this class, which can do this much. */
  WriterFacts configured(String name, Set<WriterCapability> can) {
    return with(
        copy -> {
          copy.configured = name;
          copy.provided = Set.copyOf(can);
        });
  }

  /** This HBase lacks something: what the writer needs (or ""), and the fields of coalescing. */
  WriterFacts linked(String without, boolean hasFields) {
    return with(
        copy -> {
          copy.lacking = without;
          copy.fields = hasFields;
        });
  }

  /** HBase makes hbase:meta's WAL with this provider, which is not the plugin. */
  WriterFacts metaBy(String provider) {
    return with(copy -> copy.metaProvider = provider);
  }

  /** The delegate does not see the plugin's choice. */
  WriterFacts unreached(String why) {
    return with(copy -> copy.unreached = why);
  }

  /** A writer of the plugin opened a WAL on this output ("" where its pipeline is known). */
  WriterFacts opened(String output) {
    return with(
        copy -> {
          copy.made = Made.OURS;
          copy.unknownOutput = output;
        });
  }

  /** A WAL was made, and no writer of the plugin opened it. */
  WriterFacts openedByOthers() {
    return with(
        copy -> {
          copy.made = Made.OTHERS;
          copy.unknownOutput = "";
        });
  }
}
