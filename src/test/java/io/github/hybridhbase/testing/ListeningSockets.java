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
package io.github.hybridhbase.testing;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Reads from {@code /proc} where this process listens. Elsewhere than on Linux nothing is found.
 */
@InterfaceAudience.Private
public final class ListeningSockets {
  private static final Pattern SOCKET = Pattern.compile("socket:\\[(\\d+)]");
  private static final String LISTEN = "0A";
  private static final String V4_LOOPBACK = "7F"; // 127/8: the last byte of the little-endian word
  private static final String V6_LOOPBACK = "00000000000000000000000001000000";
  private static final String V4_IN_V6 = "0000000000000000FFFF0000";

  private static final Pattern BLANKS = Pattern.compile(" +");

  private ListeningSockets() {}

  /** Local addresses, in the kernel's hexadecimal, that others than this machine could reach. */
  public static List<String> beyondLoopback() throws IOException {
    Set<String> mine = inodes();
    List<String> found = new ArrayList<>();
    for (String table : new String[] {"tcp", "tcp6"}) {
      Path path = Path.of("/proc/self/net", table);
      if (!Files.isReadable(path)) {
        continue;
      }
      for (String line : Files.readAllLines(path)) {
        List<String> columns =
            BLANKS.splitAsStream(line.trim()).collect(Collectors.toUnmodifiableList());
        if (columns.size() > 9
            && columns.get(3).equals(LISTEN)
            && mine.contains(columns.get(9))
            && !isLoopback(columns.get(1))) {
          found.add(table + " " + columns.get(1));
        }
      }
    }
    return found;
  }

  private static boolean isLoopback(String addressAndPort) {
    String address = addressAndPort.substring(0, addressAndPort.indexOf(':'));
    if (address.startsWith(V4_IN_V6)) {
      address = address.substring(V4_IN_V6.length());
    }
    return address.length() == 8 ? address.endsWith(V4_LOOPBACK) : address.equals(V6_LOOPBACK);
  }

  private static Set<String> inodes() throws IOException {
    Set<String> inodes = new HashSet<>();
    Path descriptors = Path.of("/proc/self/fd");
    if (!Files.isDirectory(descriptors)) {
      return inodes;
    }
    try (DirectoryStream<Path> links = Files.newDirectoryStream(descriptors)) {
      for (Path link : links) {
        try {
          Matcher socket = SOCKET.matcher(Files.readSymbolicLink(link).toString());
          if (socket.matches()) {
            inodes.add(socket.group(1));
          }
        } catch (IOException e) {
          continue; // closed meanwhile
        }
      }
    }
    return inodes;
  }
}
