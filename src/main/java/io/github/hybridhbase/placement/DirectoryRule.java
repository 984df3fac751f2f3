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
package io.github.hybridhbase.placement;

import io.github.hybridhbase.config.Component;
import io.github.hybridhbase.config.StoragePolicy;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** One directory of HBase's and the component whose policy it is declared to have. */
@InterfaceAudience.Private
public final class DirectoryRule {
  private final Component component;
  private final Path base;
  private final Path path;
  private final StoragePolicy policy;
  private final boolean create;

  DirectoryRule(Component component, Path base, Path path, StoragePolicy policy, boolean create) {
    this.component = component;
    this.base = base;
    this.path = path;
    this.policy = policy;
    this.create = create;
  }

  /** The component this directory holds. */
  public Component component() {
    return component;
  }

  /** The root it lies below: {@code hbase.rootdir} or {@code hbase.wal.dir}. */
  public Path base() {
    return base;
  }

  /** The same directory with another policy declared for it. */
  public DirectoryRule with(StoragePolicy other) {
    return new DirectoryRule(component, base, path, other, create);
  }

  /** The directory, fully qualified. */
  public Path path() {
    return path;
  }

  /** The policy declared for it, never {@link StoragePolicy#NONE}. */
  public StoragePolicy policy() {
    return policy;
  }

  /**
   * Whether to create the directory where it is missing, because HBase writes into it as soon as it
   * has made it. The others are looked at again once HBase made them.
   */
  public boolean create() {
    return create;
  }

  @Override
  public String toString() {
    return component.label() + " " + path + " " + policy;
  }
}
