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

import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.yetus.audience.InterfaceAudience;
import org.objectweb.asm.Opcodes;

/**
 * What our classes take for granted, as compiled against one set of jars, and another set does not
 * have. Whatever resolves in the first must resolve in the second as the JVM would do it: classes,
 * fields and methods by owner and descriptor, methods of ours that override, abstract methods that
 * ours must implement. What the JVM does not look at and the code relies on is compared too: a
 * member's generic signature (a wrong one ends as a ClassCastException far away).
 */
@InterfaceAudience.Private
final class LinkCheck {
  private final JarSet built;
  private final JarSet other;
  private final Hierarchy before;
  private final Hierarchy there;
  private final Predicate<String> covered;
  private final SortedSet<Gap> gaps = new TreeSet<>();

  private LinkCheck(OurClasses ours, JarSet built, JarSet other, Predicate<String> covered) {
    this.built = built;
    this.other = other;
    this.before = ours.beside(built);
    this.there = ours.beside(other);
    this.covered = covered;
  }

  /**
   * Checks all.
   *
   * @param built what ours were compiled against
   * @param other what they are to run on
   * @param covered which classes of the first set the second one should have; that others are
   *     missing says nothing
   */
  static SortedSet<Gap> gaps(
      OurClasses ours, JarSet built, JarSet other, Predicate<String> covered) {
    LinkCheck check = new LinkCheck(ours, built, other, covered);
    for (ClassFile file : ours.files().values()) {
      Uses.of(ours.bytes(file.name())).forEach(use -> check.use(file, use));
      check.parents(file);
      check.overrides(file);
      check.implementsAll(file);
    }
    return check.gaps;
  }

  private void gap(ClassFile from, String what) {
    gaps.add(new Gap(what, Names.file(from.name())));
  }

  private void use(ClassFile from, Use use) {
    if (!use.isMember()) {
      type(from, use);
      return;
    }
    Optional<Member> expected = resolve(before, use);
    // A class that is missing is a gap already; what is ours or the JDK's is as it was.
    if (expected.isPresent() && built.holds(expected.get().owner()) && present(use.owner())) {
      Optional<Member> found = resolve(there, use);
      if (found.isPresent()) {
        member(from, use, expected.get(), found.get());
      } else if (there.missing(use.owner()).isEmpty() && !isOverridden(from, use)) {
        gap(from, expected.get() + " is missing");
      }
    }
  }

  /** Then {@link #overrides} tells of it. */
  private static boolean isOverridden(ClassFile from, Use use) {
    return use.kind() == Use.Kind.SUPER_METHOD && from.methods().containsKey(use.key());
  }

  private static Optional<Member> resolve(Hierarchy in, Use use) {
    return use.isField() ? in.field(use.owner(), use.key()) : in.method(use.owner(), use.key());
  }

  private boolean present(String name) {
    return there.find(name).isPresent();
  }

  private void type(ClassFile from, Use use) {
    String name = use.owner();
    if (!built.holds(name)) {
      return;
    }
    Optional<ClassFile> found = there.find(name);
    if (found.isEmpty()) {
      if (covered.test(name)) {
        gap(from, Names.type(name) + " is missing");
      }
    } else if (use.kind() != Use.Kind.TYPE && !found.get().is(Opcodes.ACC_PUBLIC)) {
      gap(from, Names.type(name) + " is not public");
    }
  }

  private void member(ClassFile from, Use use, Member expected, Member found) {
    if (found.is(Opcodes.ACC_STATIC) != use.isStatic() && use.kind() != Use.Kind.LAMBDA) {
      gap(from, expected + (use.isStatic() ? " is not static" : " is static"));
    }
    if (!found.is(Opcodes.ACC_PUBLIC) && !isSeen(from, found)) {
      gap(from, expected + " is not accessible");
    }
    if (!use.isField()
        && use.ofInterface() != there.find(use.owner()).orElseThrow().isInterface()) {
      gap(from, expected + (use.ofInterface() ? " is not in an interface" : " is in an interface"));
    }
    if (use.kind() == Use.Kind.SUPER_METHOD && found.is(Opcodes.ACC_ABSTRACT)) {
      gap(from, expected + " is abstract");
    }
    if (use.kind() == Use.Kind.LAMBDA) {
      Map<String, Member> abstracts = there.unimplemented(use.owner());
      abstracts.keySet().removeAll(before.unimplemented(use.owner()).keySet());
      abstracts.values().forEach(method -> gap(from, method + " is abstract, no lambda has it"));
    }
    signature(from, expected, found);
  }

  private boolean isSeen(ClassFile from, Member found) {
    return found.is(Opcodes.ACC_PROTECTED) && there.isSubclass(from.name(), found.owner());
  }

  private void signature(ClassFile from, Member expected, Member found) {
    // '? extends T' is read as T is.
    if (!found.signature().replace("+", "").equals(expected.signature().replace("+", ""))) {
      gap(from, expected + " has other type arguments: " + Names.signature(found.signature()));
    }
  }

  private void parents(ClassFile file) {
    for (ClassFile parent : there.line(file.name())) {
      boolean ownParent = parent.name().equals(file.superName());
      if (ownParent && other.holds(parent.name()) && parent.is(Opcodes.ACC_FINAL)) {
        gap(file, Names.type(parent.name()) + " is final");
      }
    }
  }

  /** A method that overrides nothing any more is never called. */
  private void overrides(ClassFile file) {
    for (Member own : file.methods().values()) {
      if (own.is(Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE) || own.name().startsWith("<")) {
        continue;
      }
      Optional<Member> expected = inherited(before, file, own);
      if (expected.isEmpty() || !built.holds(expected.get().owner())) {
        continue;
      }
      Optional<Member> found = inherited(there, file, own);
      if (found.isPresent()) {
        if (found.get().is(Opcodes.ACC_FINAL)) {
          gap(file, expected.get() + " is final");
        }
        signature(file, expected.get(), found.get());
      } else if (there.missing(file.name()).isEmpty()) {
        gap(file, expected.get() + " is missing: it is overridden");
      }
    }
  }

  private static Optional<Member> inherited(Hierarchy in, ClassFile file, Member own) {
    return in.methods(file.name(), own.key()).stream()
        .filter(each -> !each.owner().equals(file.name()) && each.isInherited())
        .findFirst();
  }

  private void implementsAll(ClassFile file) {
    if (!file.is(Opcodes.ACC_ABSTRACT)) {
      there
          .unimplemented(file.name())
          .values()
          .forEach(method -> gap(file, method + " is abstract, and not implemented"));
    }
  }
}
