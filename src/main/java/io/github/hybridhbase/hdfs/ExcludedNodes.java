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
package io.github.hybridhbase.hdfs;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The stalled DataNodes that one server excludes from its WALs, stored as the xattr {@value #XATTR}
 * of its WAL directory. Immutable.
 */
@InterfaceAudience.Private
public final class ExcludedNodes extends XattrRecord.Value {
  public static final String XATTR = "user.hbase.hybrid.wal.leftout";

  public static final XattrRecord<ExcludedNodes> RECORD =
      new XattrRecord<>(XATTR, ExcludedNodes::parse);

  private static final String VERSION = "v1";

  // One address: a pattern for the whole list would recurse per address.
  private static final Pattern ADDRESS = Pattern.compile("\\S{1,300}:\\d{1,5}");

  private final List<String> addresses;

  private ExcludedNodes(List<String> addresses) {
    this.addresses = List.copyOf(addresses);
  }

  public static ExcludedNodes of(Collection<DatanodeInfo> nodes) {
    return new ExcludedNodes(
        nodes.stream()
            .map(node -> node.getHostName() + ":" + node.getXferPort())
            .sorted()
            .collect(Collectors.toList()));
  }

  static Optional<ExcludedNodes> parse(String text) {
    List<String> words = List.of(text.split(" ", -1));
    List<String> addresses = words.subList(1, words.size());
    return words.get(0).equals(VERSION)
            && addresses.stream().allMatch(address -> ADDRESS.matcher(address).matches())
        ? Optional.of(new ExcludedNodes(addresses))
        : Optional.empty();
  }

  public List<String> addresses() {
    return addresses;
  }

  @Override
  public String toString() {
    return addresses.isEmpty() ? VERSION : VERSION + " " + String.join(" ", addresses);
  }
}
