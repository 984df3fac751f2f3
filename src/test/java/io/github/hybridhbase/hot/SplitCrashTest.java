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
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.hybridhbase.hot.MortalFileSystem.Life;
import io.github.hybridhbase.hot.MortalFileSystem.Step;
import java.io.IOException;
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
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A server dies in the middle of a compaction with two outputs, after each step that it takes with
 * their files: the region, opened again, holds what a store holds that is not split.
 */
@InterfaceAudience.Private
class SplitCrashTest {
  private static final byte[] FAMILY = LocalRegion.FAMILY;
  private static final int ROWS = 200;

  private LocalRegion split;
  private LocalRegion stock;

  @BeforeEach
  void open() throws Exception {
    MortalFileSystem.life = new Life();
    ColumnFamilyDescriptor family =
        ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setMaxVersions(2).build();
    split = LocalRegion.scratch(family, LocalRegion.mortal(4, 11));
    stock = LocalRegion.scratch(family, LocalRegion.hot(0, 11));
    Random random = new Random(5);
    for (int file = 0; file < 3; file++) {
      changes(random, 1_000 * file);
    }
  }

  /** A file of each. */
  private void changes(Random random, long time) throws IOException {
    for (int i = 0; i < ROWS; i++) {
      change(random, time + i);
    }
    split.flush();
    stock.flush();
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
  }

  /** What makes the next compaction fail. */
  private interface Failure {
    void of(SplitCrashTest test) throws Exception;
  }

  private static Failure after(Step step, int count) {
    return test -> {
      // HBase looks whether a rename that failed was done nonetheless, and goes on.
      test.split.engine().marker =
          writer -> {
            if (MortalFileSystem.life.isOver()) {
              throw new IOException("this server is dead");
            }
            writer.run();
          };
      MortalFileSystem.life.endAfter(step, count);
    };
  }

  private static Failure marker(SplitEngine.Marker marker) {
    return test -> test.split.engine().marker = marker;
  }

  private void fails(List<HStoreFile> files) {
    assertThrows(IOException.class, () -> split.compact(files));
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
    assertEquals(
        1, split.files().stream().filter(HotFiles::isOn).count(), "the store is split still");
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
   * between the renames; they delete the hot file if the cold one cannot be opened and leave the
   * cold one, which names the inputs: the next server to open the region would archive them.
   */
  private static Stream<Arguments> deaths() {
    return Stream.of(
        arguments("the hot file is closed", after(Step.CLOSE, 1)),
        arguments("both are closed", after(Step.CLOSE, 2)),
        arguments("the hot file is renamed", after(Step.RENAME, 1)),
        arguments("the hot file is opened", after(Step.OPEN, 1)),
        arguments("both are renamed", after(Step.RENAME, 2)),
        arguments(
            "before the marker",
            marker(
                writer -> {
                  MortalFileSystem.life.end();
                  throw new IOException("this server dies");
                })),
        arguments(
            "after the marker",
            marker(
                writer -> {
                  writer.run();
                  MortalFileSystem.life.end();
                  throw new IOException("this server dies");
                })),
        arguments(
            "the cold file cannot be opened",
            (Failure) test -> MortalFileSystem.life.cannotOpen(2)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("deaths")
  void nothingIsLost(String when, Failure death) throws Exception {
    death.of(this);
    fails(split.files());
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

  /** A pair is compacted with later files, or its hot file alone is. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void whileAPairIsCompactedWithLaterFiles(int first) throws Exception {
    split.compact(split.files());
    changes(new Random(6), 5_000);
    after(Step.RENAME, 1).of(this);
    List<HStoreFile> files = split.files();
    assertTrue(HotFiles.isOn(files.get(1)), "the larger file of a pair is the older one");
    fails(files.subList(first, files.size()));
    assertNothingLost();
  }

  /** The server lives on, beside files that HBase does not know. */
  private static Stream<Arguments> interruptions() {
    Failure atMarker =
        marker(
            writer -> {
              throw new IOException("HBase interrupts this compaction");
            });
    return Stream.of(
        arguments("the hot file is renamed", after(Step.RENAME, 1)),
        // HBase has renamed both files and cannot say so in its WAL.
        arguments("both are renamed", atMarker),
        // A compaction of one file begins before a compaction of all files renames its output.
        arguments(
            "beside another compaction",
            (Failure)
                test ->
                    MortalFileSystem.life.beforeRename(
                        () -> {
                          test.change(new Random(7), 9_001);
                          test.split.flush();
                          test.stock.flush();
                          List<HStoreFile> files = test.split.files();
                          test.split.compact(List.of(files.get(files.size() - 1)));
                          atMarker.of(test);
                          return null;
                        })));
  }

  private void isInterrupted(Failure failure) throws Exception {
    failure.of(this);
    fails(split.files());
    MortalFileSystem.life.goesOn();
    split.engine().marker = IOExceptionRunnable::run;
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

  @ParameterizedTest(name = "{0}")
  @MethodSource("interruptions")
  void rowsDeletedAfterAFailureStayDeleted(String when, Failure failure) throws Exception {
    isInterrupted(failure);
    deletesAndCompacts();
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
    isInterrupted(after(Step.RENAME, 1));
    Set<String> left = directory();
    left.removeAll(before);
    assertEquals(1, left.size());
    deletesAndCompacts();
    assertTrue(directory().containsAll(left));
  }

  /** HBase would leave the stream of the cold one open. */
  @Test
  void bothFilesAreClosedThoughTheFirstCannotBe() throws Exception {
    int before = MortalFileSystem.life.closed.get();
    isInterrupted(after(Step.CLOSE, 1));
    assertEquals(before + 2, MortalFileSystem.life.closed.get());
  }
}
