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
package io.github.hybridhbase.bed;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** What HDFS's own {@code fsck -files -blocks -locations -openforwrite} says. Immutable. */
@InterfaceAudience.Private
public final class Fsck {
  static final String MAIN = "org.apache.hadoop.hdfs.tools.DFSck";

  private static final Pattern FILE =
      Pattern.compile("(/.*) (\\d+) bytes, .*?\\d+ block\\(s\\)(, OPENFORWRITE)?:.*");
  private static final Pattern BLOCK = Pattern.compile("\\d+\\. \\S+:blk_-?\\d+.* len=(\\d+).*");
  private static final Pattern REPLICA =
      Pattern.compile("DatanodeInfoWithStorage\\[([^,\\]]+),([^,\\]]*),(\\w+)\\]");

  /** One file. Immutable. */
  public static final class File {
    private final String path;
    private final boolean open;
    private final List<List<String>> blocks = new ArrayList<>();

    private File(String path, boolean open) {
      this.path = path;
      this.open = open;
    }

    public String path() {
      return path;
    }

    /** Whether it is being written. */
    public boolean isOpen() {
      return open;
    }

    /** The medium of each replica of each block. */
    public List<List<String>> media() {
      return Collections.unmodifiableList(blocks);
    }

    /** Whether it has blocks, and all replicas of all of them are on one medium. */
    public boolean isAllOn(String medium) {
      return !blocks.isEmpty()
          && blocks.stream()
              .allMatch(block -> !block.isEmpty() && block.stream().allMatch(medium::equals));
    }

    @Override
    public String toString() {
      return path + (open ? " open " : " ") + blocks;
    }
  }

  private final List<File> files = new ArrayList<>();

  private Fsck() {}

  /** Reads the lines it prints. */
  static Fsck parse(List<String> lines) {
    Fsck fsck = new Fsck();
    for (String line : lines) {
      Matcher file = FILE.matcher(line);
      if (file.matches()) {
        fsck.files.add(new File(file.group(1), file.group(3) != null));
      } else if (BLOCK.matcher(line).matches() && !fsck.files.isEmpty()) {
        List<String> media = new ArrayList<>();
        for (Matcher replica = REPLICA.matcher(line); replica.find(); ) {
          media.add(replica.group(3));
        }
        fsck.files.get(fsck.files.size() - 1).blocks.add(List.copyOf(media));
      }
    }
    return fsck;
  }

  /** All files. */
  public List<File> files() {
    return Collections.unmodifiableList(files);
  }

  /** The files below a directory. */
  public List<File> below(String directory) {
    return files.stream()
        .filter(file -> file.path().startsWith(directory + "/"))
        .collect(Collectors.toList());
  }

  @Override
  public String toString() {
    return files.stream().map(File::toString).collect(Collectors.joining("\n"));
  }
}
