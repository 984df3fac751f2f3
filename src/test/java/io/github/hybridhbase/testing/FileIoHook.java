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

import java.lang.reflect.Field;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FaultInjectorFileIoEvents;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What a DataNode asks before it touches a file of a volume. Hadoop made it to inject faults, and
 * gives no way to put one in.
 */
@InterfaceAudience.Private
public final class FileIoHook {
  private FileIoHook() {}

  /**
   * Puts a hook in.
   *
   * @return the one that it replaces
   */
  public static FaultInjectorFileIoEvents put(DataNode node, FaultInjectorFileIoEvents hook) {
    try {
      Field field = FileIoProvider.class.getDeclaredField("faultInjectorEventHook");
      field.setAccessible(true);
      FaultInjectorFileIoEvents before =
          (FaultInjectorFileIoEvents) field.get(node.getFileIoProvider());
      field.set(node.getFileIoProvider(), hook);
      return before;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("FileIoProvider has changed", e);
    }
  }
}
