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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** What a class file declares; its code is not read. Immutable once read. */
@InterfaceAudience.Private
final class ClassFile {
  private final String name;
  private final int access;
  private final String superName;
  private final List<String> interfaces;
  private final Map<String, Member> fields = new LinkedHashMap<>();
  private final Map<String, Member> methods = new LinkedHashMap<>();

  private ClassFile(ClassReader reader) {
    name = reader.getClassName();
    access = reader.getAccess();
    superName = reader.getSuperName();
    interfaces = List.of(reader.getInterfaces());
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public FieldVisitor visitField(
              int flags, String field, String descriptor, String signature, Object value) {
            Member member = new Member(name, field, descriptor, signature, flags);
            fields.put(member.key(), member);
            return null;
          }

          @Override
          public MethodVisitor visitMethod(
              int flags, String method, String descriptor, String signature, String[] exceptions) {
            Member member = new Member(name, method, descriptor, signature, flags);
            methods.put(member.key(), member);
            return null;
          }
        },
        ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
  }

  static ClassFile read(byte[] bytes) {
    return new ClassFile(new ClassReader(bytes));
  }

  /** Internal, as all names here: {@code java/lang/Object}. */
  String name() {
    return name;
  }

  boolean is(int flag) {
    return (access & flag) != 0;
  }

  boolean isInterface() {
    return is(Opcodes.ACC_INTERFACE);
  }

  /** Null for {@code java/lang/Object} only. */
  String superName() {
    return superName;
  }

  List<String> interfaces() {
    return interfaces;
  }

  /** By {@link Member#key()}. */
  Map<String, Member> fields() {
    return fields;
  }

  /** By {@link Member#key()}. */
  Map<String, Member> methods() {
    return methods;
  }
}
