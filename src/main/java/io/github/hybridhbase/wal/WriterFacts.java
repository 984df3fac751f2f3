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
import java.util.EnumSet;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What is known of the writers of one server's WALs: what is asked of them, what the configuration
 * and this HBase allow, and what was made in the end. Immutable.
 */
@InterfaceAudience.Private
public final class WriterFacts {
  /** Whose writer the server's WALs were opened with. */
  enum Made {
    NOT_YET,
    OURS,
    OTHERS
  }

  final Set<WriterCapability> asked;

  /** Key from which HBase takes the class of the writer; "" where that is not known. */
  final String key;

  /** Class that the site names there; "" for none, and then it is the plugin's. */
  final String configured;

  /** What that class can do. */
  final Set<WriterCapability> provided;

  /** What of this HBase the plugin's writer cannot do without; "" where all is there. */
  final String lacking;

  /** Whether the fields that coalescing replaces are there. */
  final boolean fields;

  /** Provider that the site names for hbase:meta's WAL; "" where that is the plugin. */
  final String metaProvider;

  /** Why the delegate does not see the plugin's choice; "" where it does. */
  final String unreached;

  final Made made;

  /** Class of the output whose pipeline is not known; "" where it is known, or none was opened. */
  final String unknownOutput;

  private WriterFacts(
      Set<WriterCapability> asked,
      String key,
      String configured,
      Set<WriterCapability> provided,
      String lacking,
      boolean fields,
      String metaProvider,
      String unreached,
      Made made,
      String unknownOutput) {
    this.asked = asked;
    this.key = key;
    this.configured = configured;
    this.provided = provided;
    this.lacking = lacking;
    this.fields = fields;
    this.metaProvider = metaProvider;
    this.unreached = unreached;
    this.made = made;
    this.unknownOutput = unknownOutput;
  }

  /** Facts of a server that asks for these, with nothing in the way. */
  static WriterFacts asking(Set<WriterCapability> asked, String key) {
    Set<WriterCapability> all = EnumSet.allOf(WriterCapability.class);
    return new WriterFacts(Set.copyOf(asked), key, "", all, "", true, "", "", Made.NOT_YET, "");
  }

  /** The site names this class, which can do this much. */
  WriterFacts configured(String name, Set<WriterCapability> can) {
    return new WriterFacts(
        asked,
        key,
        name,
        Set.copyOf(can),
        lacking,
        fields,
        metaProvider,
        unreached,
        made,
        unknownOutput);
  }

  /** This HBase lacks something: what the writer needs (or ""), and the fields of coalescing. */
  WriterFacts linked(String without, boolean hasFields) {
    return new WriterFacts(
        asked,
        key,
        configured,
        provided,
        without,
        hasFields,
        metaProvider,
        unreached,
        made,
        unknownOutput);
  }

  /** HBase makes hbase:meta's WAL with this provider, which is not the plugin. */
  WriterFacts metaBy(String provider) {
    return new WriterFacts(
        asked,
        key,
        configured,
        provided,
        lacking,
        fields,
        provider,
        unreached,
        made,
        unknownOutput);
  }

  /** The delegate does not see the plugin's choice. */
  WriterFacts unreached(String why) {
    return new WriterFacts(
        asked, key, configured, provided, lacking, fields, metaProvider, why, made, unknownOutput);
  }

  /** A writer of the plugin opened a WAL on this output ("" where its pipeline is known). */
  WriterFacts opened(String output) {
    return new WriterFacts(
        asked,
        key,
        configured,
        provided,
        lacking,
        fields,
        metaProvider,
        unreached,
        Made.OURS,
        output);
  }

  /** A WAL was made, and no writer of the plugin opened it. */
  WriterFacts openedByOthers() {
    return new WriterFacts(
        asked,
        key,
        configured,
        provided,
        lacking,
        fields,
        metaProvider,
        unreached,
        Made.OTHERS,
        "");
  }
}
