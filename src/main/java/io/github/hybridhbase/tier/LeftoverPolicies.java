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

import io.github.hybridhbase.hdfs.StorageNamespace;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Committed files of stores that closed before a look took away the policy they were created with.
 * The region may never be opened again (a disabled or dropped table), so nobody else would.
 * Thread-safe; holds {@value #MOST} files at most, the rest is left to whoever opens the store.
 */
@InterfaceAudience.Private
final class LeftoverPolicies {
  private static final int MOST = 10_000;

  private final StorageNamespace namespace;
  private final UnaryOperator<Path> archive;
  private final Deque<Path> files = new ArrayDeque<>();

  /**
   * Holds nothing.
   *
   * @param archive where HBase puts the files of a directory once it is done with them
   */
  LeftoverPolicies(StorageNamespace namespace, UnaryOperator<Path> archive) {
    this.namespace = namespace;
    this.archive = archive;
  }

  synchronized void add(Path file) {
    if (files.size() < MOST) {
      files.add(file);
    }
  }

  synchronized boolean isEmpty() {
    return files.isEmpty();
  }

  /**
   * Takes the policies away; twice does no harm.
   *
   * @throws IOException where HDFS does not answer; the rest is kept for the next call
   */
  void letGo() throws IOException {
    for (Path file = peek(); file != null; file = peek()) {
      if (!unset(file)) {
        unset(new Path(archive.apply(file.getParent()), file.getName()));
      }
      synchronized (this) {
        files.poll();
      }
    }
  }

  private synchronized Path peek() {
    return files.peek();
  }

  private boolean unset(Path file) throws IOException {
    try {
      namespace.unsetPolicy(file);
      return true;
    } catch (FileNotFoundException e) {
      return false;
    }
  }
}
