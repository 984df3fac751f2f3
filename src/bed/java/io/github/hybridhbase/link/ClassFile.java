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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.yetus.audience.InterfaceAudience;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * What a class file declares, and what its constant pool names: all that it links to. A member is
 * {@code name(arguments)type} or {@code name:type}.
 */
@InterfaceAudience.Private
final class ClassFile extends ClassVisitor {
  final ClassReader reader;
  final Map<String, Integer> members = new TreeMap<>();
  final Map<String, String> signatures = new HashMap<>();
  final Set<String> types = new TreeSet<>();
  final Set<String> strings = new TreeSet<>();

  /** Members of other classes, behind their owner and a dot. */
  final Set<String> uses = new TreeSet<>();

  /** Interfaces that an instruction makes objects of. */
  final Set<String> lambdas = new TreeSet<>();

  ClassFile(byte[] bytes) {
    super(Opcodes.ASM9);
    reader = new ClassReader(bytes);
    char[] text = new char[reader.getMaxStringLength()];
    for (int item = 1; item < reader.getItemCount(); item++) {
      int at = reader.getItem(item);
      switch (at == 0 ? 0 : reader.readByte(at - 1)) {
        case 7: // a class
          type(Type.getObjectType(reader.readUTF8(at, text)));
          break;
        case 8:
          strings.add(reader.readUTF8(at, text));
          break;
        case 9: // a field, a method, a method of an interface
        case 10:
        case 11:
          String owner = reader.readClass(at, text);
          int member = reader.getItem(reader.readUnsignedShort(at + 2));
          String type = reader.readUTF8(member + 2, text);
          type(Type.getType(type));
          if (!owner.startsWith("[")) {
            uses.add(owner + "." + member(reader.readUTF8(member, text), type));
          }
          break;
        case 16: // the type of a method
          type(Type.getType(reader.readUTF8(at, text)));
          break;
        case 18: // invokedynamic
          int made = reader.getItem(reader.readUnsignedShort(at + 2));
          Type returned = Type.getReturnType(reader.readUTF8(made + 2, text));
          type(returned);
          lambdas.add(returned.getInternalName());
          break;
        default:
      }
    }
  }

  /** Reads what it declares, of which most classes are not asked. */
  ClassFile declared() {
    reader.accept(this, ClassReader.SKIP_CODE);
    return this;
  }

  boolean is(int flag) {
    return (reader.getAccess() & flag) != 0;
  }

  boolean is(String member, int flag) {
    return (members.get(member) & flag) != 0;
  }

  private void type(Type type) {
    if (type.getSort() == Type.ARRAY) {
      type(type.getElementType());
    } else if (type.getSort() == Type.METHOD) {
      type(type.getReturnType());
      List.of(type.getArgumentTypes()).forEach(this::type);
    } else if (type.getSort() == Type.OBJECT) {
      types.add(type.getInternalName());
    }
  }

  private static String member(String name, String type) {
    return name + (type.startsWith("(") ? "" : ":") + type;
  }

  @Override
  public FieldVisitor visitField(int access, String name, String type, String types, Object value) {
    type(Type.getType(type));
    members.put(member(name, type), access);
    signatures.put(member(name, type), types == null ? "" : types);
    return null;
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String type, String types, String[] exceptions) {
    visitField(access, name, type, types, null);
    return null;
  }
}
