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

/** One reference from a class file to a class or member. Immutable. */
@InterfaceAudience.Private
final class Use {
  /** How it is referred to. */
  enum Kind {
    /** Within a descriptor: it must be there, though perhaps not public. */
    TYPE,
    /** By name: superclass, cast, owner of a member … */
    CLASS,
    /** As a class literal, which reflection may begin with. */
    LITERAL,
    /** By getfield or putfield. */
    FIELD,
    /** By getstatic or putstatic. */
    STATIC_FIELD,
    /** By invokevirtual, invokeinterface, or as a constructor. */
    METHOD,
    /** By invokestatic. */
    STATIC_METHOD,
    /** By {@code super.}, where an abstract method will not do. */
    SUPER_METHOD,
    /** As the one method of an interface that a lambda is made for. */
    LAMBDA
  }

  private final Kind kind;
  private final String owner;
  private final String name;
  private final String descriptor;
  private final boolean ofInterface;

  Use(Kind kind, String owner, String name, String descriptor, boolean ofInterface) {
    this.kind = kind;
    this.owner = owner;
    this.name = name;
    this.descriptor = descriptor;
    this.ofInterface = ofInterface;
  }

  Kind kind() {
    return kind;
  }

  /** Internal name of the class it names, which need not be the one that declares the member. */
  String owner() {
    return owner;
  }

  /** As {@link Member#key()}. */
  String key() {
    return name + descriptor;
  }

  boolean isMember() {
    return kind != Kind.TYPE && kind != Kind.CLASS && kind != Kind.LITERAL;
  }

  boolean isField() {
    return kind == Kind.FIELD || kind == Kind.STATIC_FIELD;
  }

  boolean isStatic() {
    return kind == Kind.STATIC_FIELD || kind == Kind.STATIC_METHOD;
  }

  /** Whether the code takes the owner for an interface; of a class's use always false. */
  boolean ofInterface() {
    return ofInterface;
  }
}
