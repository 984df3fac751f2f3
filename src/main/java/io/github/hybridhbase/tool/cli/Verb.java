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
package io.github.hybridhbase.tool.cli;

import java.io.IOException;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Options;
import org.apache.yetus.audience.InterfaceAudience;

/** One task of the command line. */
@InterfaceAudience.Private
public interface Verb {
  /** What the user types. */
  String name();

  /** What it does, in one line. */
  String summary();

  /** A command that works as it stands. */
  String example();

  /** Its own options; those of every verb come on top. */
  Options options();

  /** The name of the one argument that it may get beside options; empty where it takes none. */
  default String argument() {
    return "";
  }

  /** Whether the configuration is all that it reads: its session reaches no cluster. */
  default boolean offline() {
    return false;
  }

  /**
   * Does it.
   *
   * @return an exit code, see {@link Exit}
   * @throws UsageException where the options make no sense
   * @throws IOException where the cluster does not answer
   */
  int run(Session session, CommandLine options) throws UsageException, IOException;
}
