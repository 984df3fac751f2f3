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
package io.github.hybridhbase.link;

import org.apache.yetus.audience.InterfaceAudience;
import org.objectweb.asm.Opcodes;

/** A field or method as a class file declares it. Immutable. */
@InterfaceAudience.Private
final class Member {
  private final String owner;
  private final String name;
  private final String descriptor;
  private final String signature;
  private final int access;

  Member(String owner, String name, String descriptor, String signature, int access) {
    this.owner = owner;
    this.name = name;
    this.descriptor = descriptor;
    this.signature = signature;
    this.access = access;
  }

  /** Internal name of the class that declares it. */
  String owner() {
    return owner;
  }

  String name() {
    return name;
  }

  String descriptor() {
    return descriptor;
  }

  /** What identifies it among its owner's members. */
  String key() {
    return name + descriptor;
  }

  /** With type parameters; the plain descriptor where it has none. */
  String signature() {
    return signature == null ? descriptor : signature;
  }

  boolean is(int flag) {
    return (access & flag) != 0;
  }

  /** Whether subclasses in other packages inherit it. */
  boolean isInherited() {
    return is(Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED) && !name.startsWith("<");
  }

  @Override
  public String toString() {
    return Names.member(owner, name, descriptor);
  }
}
