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
package io.github.hybridhbase.tier;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.it.Rows;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.testing.ClusterSpec;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A cluster with the plugin for the tests of one class, its store files, and tables of three
 * regions.
 */
@InterfaceAudience.Private
final class TierCluster implements BeforeAllCallback, AfterAllCallback {
  static final byte[] FAMILY = Bytes.toBytes("f");

  /** What changes a table and its family. */
  interface Change {
    void of(TableDescriptorBuilder table, ColumnFamilyDescriptorBuilder family) throws Exception;
  }

  private final UnaryOperator<ClusterSpec> spec;
  private final long seed = Long.getLong("hybrid.seed", System.nanoTime());
  final Random random = new Random(seed);
  TypedCluster cluster;
  StoreFileMedia files;

  TierCluster(UnaryOperator<ClusterSpec> spec) {
    this.spec = spec;
  }

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    System.out.println(context.getDisplayName() + ": seed " + seed);
    cluster = spec.apply(TypedCluster.spec().plugin().conf("hybrid.tests.period", 1)).start();
    files = new StoreFileMedia(cluster);
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  Admin admin() throws IOException {
    return cluster.connection().getAdmin();
  }

  Rows rows(String name) throws IOException {
    return Rows.create(cluster, name, "DEFAULT", null, random);
  }

  /** A table whose files stay on SSD for this many seconds, and which the tier serves. */
  Rows tiered(String name, int maxAgeSeconds) throws Exception {
    Rows rows = rows(name);
    maxAge(rows, maxAgeSeconds);
    files.awaitOpen(rows.table());
    return rows;
  }

  /** One with files on SSD, for an hour. */
  Rows flushed(String name) throws Exception {
    Rows rows = tiered(name, 3_600);
    flush(rows, 60);
    assertOn(rows, StorageType.SSD);
    return rows;
  }

  void maxAge(Rows rows, int seconds) throws Exception {
    alter(
        rows.table(),
        (table, family) -> table.setValue(HybridKeys.TIER_MAX_AGE.name(), seconds + "s"));
  }

  void alter(TableName name, Change change) throws Exception {
    TableDescriptor now = admin().getDescriptor(name);
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(now);
    ColumnFamilyDescriptorBuilder family =
        ColumnFamilyDescriptorBuilder.newBuilder(now.getColumnFamily(FAMILY));
    change.of(table, family);
    admin().modifyTable(table.modifyColumnFamily(family.build()).build());
    settle();
  }

  void settle() throws IOException {
    cluster.util().waitUntilNoRegionsInTransition(TypedCluster.AWAIT_MILLIS);
  }

  /** Puts rows and flushes them. */
  void flush(Rows rows, int count) throws IOException {
    rows.put(count);
    cluster.flush(rows.table());
  }

  void assertOn(Rows rows, StorageType medium) {
    assertTrue(
        files.allOn(rows.table(), medium),
        () -> rows.table() + " on " + medium + ": " + files.files(rows.table()));
  }

  /** Has its files leave SSD, and reads all rows. */
  void age(Rows rows) throws Exception {
    maxAge(rows, 1);
    files.awaitAllOn(rows.table(), StorageType.DISK);
    rows.assertAllThere();
  }
}
