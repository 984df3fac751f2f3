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
package io.github.hybridhbase.hot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hot.MortalFileSystem.Life;
import io.github.hybridhbase.hot.MortalFileSystem.Step;
import io.github.hybridhbase.testing.ScratchDirectory;
import java.io.IOException;
import java.nio.file.Paths;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreEngine.IOExceptionRunnable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A server dies in the middle of a compaction with two outputs, after each step that it takes with
 * their files: the region, opened again, holds what a store holds that is not split.
 */
@InterfaceAudience.Private
class SplitCrashTest {
  private static final byte[] FAMILY = LocalRegion.FAMILY;
  private static final int ROWS = 200;

  private ScratchDirectory scratch;
  private LocalRegion split;
  private LocalRegion stock;

  @BeforeEach
  void open() throws Exception {
    MortalFileSystem.life = new Life();
    scratch = ScratchDirectory.under(Paths.get("target", "crashes"), "crash");
    ColumnFamilyDescriptor family =
        ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setMaxVersions(2).build();
    split = new LocalRegion(root("split"), family, 4, 11, MortalFileSystem.class);
    stock = new LocalRegion(root("stock"), family, 0, 11);
    Random random = new Random(5);
    for (int file = 0; file < 3; file++) {
      for (int i = 0; i < ROWS; i++) {
        change(random, 1_000 * file + i);
      }
      split.flush();
      stock.flush();
    }
  }

  private Path root(String name) {
    return new Path(scratch.path().resolve(name).toUri());
  }

  private void change(Random random, long time) throws IOException {
    byte[] row = Bytes.toBytes("row" + random.nextInt(ROWS));
    for (LocalRegion one : List.of(split, stock)) {
      if (time % 7 == 0) {
        one.region().delete(new Delete(row, time));
      } else {
        one.region().put(new Put(row).addColumn(FAMILY, row, time, Bytes.toBytes(time)));
      }
    }
  }

  @AfterEach
  void close() throws Exception {
    MortalFileSystem.life = new Life();
    split.close();
    stock.close();
    scratch.close();
  }

  /** HBase looks whether a rename that failed was done nonetheless, and goes on. */
  private static void unlessDead(IOExceptionRunnable writer) throws IOException {
    if (MortalFileSystem.life.isOver()) {
      throw new IOException("this server is dead");
    }
    writer.run();
  }

  private void dies(Step step, int count) throws Exception {
    split.engine().marker = SplitCrashTest::unlessDead;
    MortalFileSystem.life.endAfter(step, count);
    assertThrows(IOException.class, () -> split.compact(split.files()));
    assertTrue(MortalFileSystem.life.isOver());
    assertNothingLost();
  }

  private void assertNothingLost() throws Exception {
    MortalFileSystem.life = new Life();
    split.reopenAfterCrash();
    assertEquals(seen(stock), seen(split));
    stock.compact(stock.files());
    TreeSet<String> lost = new TreeSet<>(all(stock));
    lost.removeAll(all(split));
    assertEquals(new TreeSet<>(), lost, "cells that are gone");
    split.compact(split.files());
    assertEquals(seen(stock), seen(split));
    assertEquals(new TreeSet<>(all(stock)), new TreeSet<>(all(split)));
    assertEquals(1, HotFiles.count(split.files()), "the store is split still");
    assertEquals(2, split.files().size());
  }

  private static List<String> seen(LocalRegion region) throws IOException {
    return region.cells(false, HConstants.ALL_VERSIONS);
  }

  private static List<String> all(LocalRegion region) throws IOException {
    return region.cells(true, HConstants.ALL_VERSIONS);
  }

  /**
   * The hot file is committed first. HBase's own compactors lose the rows of the second file
   * between the renames.
   */
  @ParameterizedTest
  @CsvSource({"CLOSE, 1", "CLOSE, 2", "RENAME, 1", "OPEN, 1", "RENAME, 2"})
  void afterAStep(Step step, int count) throws Exception {
    dies(step, count);
  }

  @Test
  void beforeTheMarker() throws Exception {
    split.engine().marker =
        writer -> {
          MortalFileSystem.life.end();
          throw new IOException("this server dies");
        };
    assertThrows(IOException.class, () -> split.compact(split.files()));
    assertNothingLost();
  }

  @Test
  void afterTheMarker() throws Exception {
    split.engine().marker =
        writer -> {
          writer.run();
          MortalFileSystem.life.end();
          throw new IOException("this server dies");
        };
    assertThrows(IOException.class, () -> split.compact(split.files()));
    assertNothingLost();
  }

  /** All is done but the archiving of the inputs. */
  @Test
  void beforeTheInputsAreArchived() throws Exception {
    split.compact(split.files());
    MortalFileSystem.life.end();
    assertThrows(IOException.class, split::archive);
    assertNothingLost();
  }

  /** A pair is compacted with later files, and the server dies between those renames. */
  @Test
  void whileAPairIsCompacted() throws Exception {
    split.compact(split.files());
    Random random = new Random(6);
    for (int i = 0; i < ROWS; i++) {
      change(random, 5_000 + i);
    }
    split.flush();
    stock.flush();
    dies(Step.RENAME, 1);
  }

  /** The hot file alone is compacted with later files. */
  @Test
  void whileTheHotFileIsCompactedWithLaterOnes() throws Exception {
    split.compact(split.files());
    Random random = new Random(6);
    for (int i = 0; i < ROWS; i++) {
      change(random, 5_000 + i);
    }
    split.flush();
    stock.flush();
    MortalFileSystem.life.endAfter(Step.RENAME, 1);
    List<HStoreFile> files = split.files();
    assertTrue(HotFiles.isOn(files.get(1)), "the larger file of a pair is the older one");
    assertThrows(IOException.class, () -> split.compact(files.subList(1, files.size())));
    assertNothingLost();
  }

  /**
   * HBase would delete the hot file then and leave the cold one, which names the inputs: the next
   * server to open the region would archive them.
   */
  @Test
  void aColdFileThatCannotBeOpenedTakesNoRowsAlong() throws Exception {
    MortalFileSystem.life.cannotOpen(2);
    assertThrows(IOException.class, () -> split.compact(split.files()));
    assertNothingLost();
  }

  /** The server lives on, beside a hot file that HBase does not know. */
  private void leavesAHotFile() {
    MortalFileSystem.life.endAfter(Step.RENAME, 1);
    assertThrows(IOException.class, () -> split.compact(split.files()));
    MortalFileSystem.life.goesOn();
  }

  /** Of all rows; the compaction drops the marks of what is deleted, and has one output. */
  private void deletesAndCompacts() throws Exception {
    for (LocalRegion one : List.of(split, stock)) {
      for (int i = 0; i < ROWS; i++) {
        one.region().delete(new Delete(Bytes.toBytes("row" + i)));
      }
      one.flush();
      one.compact(one.files());
    }
    assertEquals(List.of(), seen(split));
  }

  @Test
  void rowsDeletedAfterAFailedCommitStayDeleted() throws Exception {
    leavesAHotFile();
    deletesAndCompacts();
    assertStayDeleted();
  }

  /** HBase has renamed both files and cannot say so in its WAL. */
  @Test
  void thoseDeletedAfterAFailedMarkerStayDeletedToo() throws Exception {
    split.engine().marker =
        writer -> {
          throw new IOException("HBase interrupts this compaction");
        };
    assertThrows(IOException.class, () -> split.compact(split.files()));
    split.engine().marker = IOExceptionRunnable::run;
    deletesAndCompacts();
    assertStayDeleted();
  }

  /** A compaction of one file begins before a compaction of all files renames its output. */
  @Test
  void norDoThoseComeBackBesideAnotherCompaction() throws Exception {
    MortalFileSystem.life.beforeRename(
        () -> {
          change(new Random(7), 9_001);
          split.flush();
          stock.flush();
          List<HStoreFile> files = split.files();
          split.compact(List.of(files.get(files.size() - 1)));
          split.engine().marker =
              writer -> {
                throw new IOException("HBase interrupts this compaction");
              };
          return null;
        });
    assertThrows(IOException.class, () -> split.compact(split.files()));
    split.engine().marker = IOExceptionRunnable::run;
    deletesAndCompacts();
    assertStayDeleted();
  }

  private void assertStayDeleted() throws Exception {
    split.reopen();
    assertEquals(List.of(), seen(split));
    split.compact(split.files());
    assertEquals(List.of(), all(split), "no mark is kept for longer than need be");
    assertEquals(all(stock), all(split));
  }

  @Test
  void noMarkIsKeptAfterACompactionThatSucceeded() throws Exception {
    split.compact(split.files());
    deletesAndCompacts();
    assertEquals(List.of(), all(split));
  }

  private Set<String> directory() throws IOException {
    Path directory = split.store().getRegionFileSystem().getStoreDir(Bytes.toString(FAMILY));
    return Stream.of(split.store().getFileSystem().listStatus(directory))
        .map(file -> file.getPath().getName())
        .collect(Collectors.toSet());
  }

  /** This server may have lost the region to another, which has read the file. */
  @Test
  void noFileOfTheDirectoryIsDeleted() throws Exception {
    Set<String> before = directory();
    leavesAHotFile();
    Set<String> left = directory();
    left.removeAll(before);
    assertEquals(1, left.size());
    deletesAndCompacts();
    assertTrue(directory().containsAll(left));
  }

  /** HBase would leave the stream of the cold one open. */
  @Test
  void bothFilesAreClosedThoughTheFirstCannotBe() {
    int before = MortalFileSystem.life.closed.get();
    MortalFileSystem.life.endAfter(Step.CLOSE, 1);
    assertThrows(IOException.class, () -> split.compact(split.files()));
    assertEquals(before + 2, MortalFileSystem.life.closed.get());
    MortalFileSystem.life.goesOn();
  }
}
