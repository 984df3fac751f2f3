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
package io.github.hybridhbase.config;

import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** A directory of HBase with its component and declared policy. */
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

  public Component component() {
    return component;
  }

  public Path base() {
    return base;
  }

  /** Returns this with another policy. */
  public DirectoryRule with(StoragePolicy other) {
    return new DirectoryRule(component, base, path, other, create);
  }

  public Path path() {
    return path;
  }

  /** Never {@link StoragePolicy#NONE}. */
  public StoragePolicy policy() {
    return policy;
  }

  /**
   * Whether to create the directory if missing, because HBase writes into it right after creating
   * it. The others are placed once HBase has created them.
   */
  public boolean create() {
    return create;
  }

  @Override
  public String toString() {
    return component.label() + " " + path + " " + policy;
  }
}
