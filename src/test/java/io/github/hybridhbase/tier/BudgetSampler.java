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

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.testing.TypedCluster;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;
import org.apache.yetus.audience.InterfaceAudience;

/** Samples what user files have on SSD, and what they might have with one file per store more. */
@InterfaceAudience.Private
final class BudgetSampler implements Runnable {
  private final TypedCluster cluster;
  private final StoreFileMedia storeFiles;
  private final long budget;
  private final List<TableName> tables;
  private final AtomicBoolean stop = new AtomicBoolean();
  private final AtomicLong most = new AtomicLong();
  private final AtomicLong worst = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong samples = new AtomicLong();

  BudgetSampler(TypedCluster cluster, StoreFileMedia storeFiles, long budget, TableName... tables) {
    this.cluster = cluster;
    this.storeFiles = storeFiles;
    this.budget = budget;
    this.tables = List.of(tables);
  }

  @Override
  public void run() {
    while (!stop.get()) {
      List<FileBlocks> files = storeFiles.all();
      long bytes = files.stream().mapToLong(file -> file.bytes(StorageType.SSD)).sum();
      long largest = files.stream().mapToLong(file -> file.bytes(StorageType.SSD)).max().orElse(0);
      int stores =
          tables.stream()
              .flatMap(table -> cluster.hbase().getRegions(table).stream())
              .mapToInt(region -> region.getStores().size())
              .sum();
      most.accumulateAndGet(bytes, Math::max);
      worst.accumulateAndGet(bytes - budget - Math.max(1, stores) * largest, Math::max);
      samples.incrementAndGet();
    }
  }

  /** Ends the sampling. */
  void stop() {
    stop.set(true);
  }

  /** Most bytes seen on SSD. */
  long most() {
    return most.get();
  }

  /** Most bytes seen above the budget and one file per store; negative where it held. */
  long worst() {
    return worst.get();
  }

  @Override
  public String toString() {
    return "budget "
        + budget
        + ", most on SSD "
        + most
        + ", worst over budget and a file per store "
        + worst
        + ", "
        + samples
        + " samples";
  }
}
