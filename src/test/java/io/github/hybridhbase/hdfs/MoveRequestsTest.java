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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import io.github.hybridhbase.hdfs.HdfsNamespace.MoveRequests;
import java.io.FileNotFoundException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

class MoveRequestsTest {
  @Test
  void asksBelowTheRootOfHBaseWhichARouterKnows() throws Exception {
    Path root = new Path("hdfs://router/apps/hbase");
    DistributedFileSystem dfs = mock(DistributedFileSystem.class);
    doThrow(new FileNotFoundException()).when(dfs).satisfyStoragePolicy(any());
    assertTrue(MoveRequests.areTaken(dfs, root));
    ArgumentCaptor<Path> path = ArgumentCaptor.forClass(Path.class);
    verify(dfs).satisfyStoragePolicy(path.capture());
    assertEquals(root, path.getValue().getParent());
  }
}
