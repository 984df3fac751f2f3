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
package io.github.hybridhbase.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.Test;

class MisplacedFileMoverTest {
  private static final int FILES = 1_000;
  private final List<Path> asked = new ArrayList<>();
  private boolean tiered;

  /** What HDFS says to a request; null where it takes it. */
  private interface Answer {
    IOException to(int number);
  }

  private MisplacedFileMover moves(Answer answer) {
    int[] number = {0};
    return new MisplacedFileMover(
        (context, file) -> StoragePolicy.HOT,
        (file, unset) -> {
          assertEquals(tiered, unset);
          IOException no = answer.to(number[0]++);
          if (no != null) {
            throw no;
          }
          asked.add(file);
        },
        Integer.MAX_VALUE,
        () -> true);
  }

  private static MisplacedFileMover walk(MisplacedFileMover moves, int files) throws IOException {
    FileContext context = new FileContext(Component.ARCHIVE, (byte) 0, (byte) 0, false);
    for (int i = 0; i < files; i++) {
      moves.file(
          context,
          new FileBlocks(
              new Path("/hbase/oldWALs/f" + i),
              10,
              3,
              StoragePolicy.HOT.id(),
              false,
              List.of(new FileBlocks.Block(10, StorageType.SSD, StorageType.SSD, StorageType.SSD)),
              0));
    }
    return moves;
  }

  @Test
  void anArchivedFileOfTheSsdTierLosesItsPolicyFirst() throws IOException {
    tiered = true;
    FileBlocks file =
        new FileBlocks(
            new Path("/hbase/archive/data/default/t/r/f/x"),
            10,
            3,
            StoragePolicy.ALL_SSD.id(),
            false,
            List.of(new FileBlocks.Block(10, StorageType.SSD, StorageType.SSD, StorageType.SSD)),
            0);
    MisplacedFileMover moves = moves(number -> null);
    moves.file(new FileContext(Component.ARCHIVE, (byte) 7, (byte) 7, false), file);
    assertEquals(List.of(file.path()), asked);
    moves.file(new FileContext(Component.ARCHIVE, (byte) 12, (byte) 7, false), file);
    moves.file(new FileContext(Component.USER, (byte) 7, (byte) 7, false), file);
    assertEquals(1, asked.size(), "an admin's, or the tier's own");
  }

  private static IOException ofOneFile() {
    return new RemoteException("java.io.IOException", "Cannot satisfy: the file is odd");
  }

  @Test
  void onePathThatAlwaysFailsEndsNoCensus() throws IOException {
    MisplacedFileMover moves = walk(moves(number -> number == 3 ? ofOneFile() : null), FILES);
    assertEquals(FILES - 1, moves.asked());
    assertEquals(FILES, moves.files());
    String trouble = moves.trouble().orElseThrow();
    assertTrue(trouble.contains("/hbase/oldWALs/f3: "), trouble);
    assertTrue(trouble.contains("the file is odd"), trouble);
  }

  @Test
  void ofManyTheFirstIsNamed() throws IOException {
    MisplacedFileMover moves = walk(moves(number -> number % 2 == 1 ? ofOneFile() : null), FILES);
    assertEquals(FILES / 2, moves.asked());
    String trouble = moves.trouble().orElseThrow();
    assertTrue(trouble.contains(FILES / 2 + ""), trouble);
    assertTrue(trouble.contains("/hbase/oldWALs/f1: "), trouble);
    assertFalse(trouble.contains("/hbase/oldWALs/f3: "), trouble);
  }

  @Test
  void itEndsWhereHdfsAsAWholeCannotBeAsked() {
    for (IOException whole :
        new IOException[] {
          new ConnectException("Connection refused"),
          new RemoteException("org.apache.hadoop.ipc.StandbyException", "not here"),
          new RemoteException(
              "org.apache.hadoop.hdfs.server.namenode.SafeModeException", "in safe mode"),
          new IOException("Filesystem closed")
        }) {
      asked.clear();
      assertThrows(
          IOException.class,
          () -> walk(moves(number -> number == 3 ? whole : null), FILES),
          whole::toString);
      assertEquals(3, asked.size());
    }
  }

  @Test
  void whereEachOneFailsItAsksNoMoreAndSaysSo() throws IOException {
    int[] requests = {0};
    MisplacedFileMover moves =
        walk(
            moves(
                number -> {
                  requests[0]++;
                  return ofOneFile();
                }),
            FILES);
    assertEquals(100, requests[0]);
    assertEquals(FILES, moves.files(), "it goes on counting");
    assertTrue(moves.trouble().orElseThrow().contains("/hbase/oldWALs/f0: "));
  }
}
