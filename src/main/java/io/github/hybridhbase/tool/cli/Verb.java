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

import io.github.hybridhbase.tool.cli.Verb.UsageException;
import java.io.IOException;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Options;
import org.apache.yetus.audience.InterfaceAudience;

/** A task of the command line. */
@InterfaceAudience.Private
public abstract class Verb {
  public final String name;
  public final String summary;
  public final String example;

  protected Verb(String name, String summary, String example) {
    this.name = name;
    this.summary = summary;
    this.example = "hbase-hybrid " + name + " " + example;
  }

  /** Without those of every verb. */
  public abstract Options options();

  public boolean offline() {
    return false;
  }

  /**
   * @return see {@link Exit}
   * @throws UsageException if the options make no sense
   * @throws IOException if the cluster does not respond
   */
  public abstract int run(Session session, CommandLine options) throws UsageException, IOException;

  /** The message names what is valid. */
  public static final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
      super(message);
    }
  }

  public static final class Exit {
    public static final int FINE = 0;

    /** Findings above a note, or failed work. */
    public static final int FINDINGS = 1;

    public static final int USAGE = 2;

    public static final int UNREACHABLE = 3;

    /** As in shells. */
    public static final int STOPPED = 130;

    private Exit() {}
  }
}
