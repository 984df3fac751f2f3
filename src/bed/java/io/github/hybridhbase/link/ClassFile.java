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
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * What a class file declares and uses. A member is {@code name(arguments)type} or {@code
 * name:type}.
 */
@InterfaceAudience.Private
final class ClassFile extends ClassVisitor {
  final ClassReader reader;
  final Map<String, Integer> members = new TreeMap<>();
  final Map<String, String> signatures = new HashMap<>();
  final Set<String> types = new TreeSet<>();

  /** {@code owner.member}, {@code super owner.member}, {@code lambda type}, {@code named type}. */
  final Set<String> uses = new TreeSet<>();

  ClassFile(byte[] bytes) {
    super(Opcodes.ASM9);
    reader = new ClassReader(bytes);
    types.addAll(List.of(reader.getInterfaces()));
    types.add(String.valueOf(reader.getSuperName()));
    reader.accept(this, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
  }

  boolean is(int flag) {
    return (reader.getAccess() & flag) != 0;
  }

  boolean is(String member, int flag) {
    return (members.get(member) & flag) != 0;
  }

  static Set<String> strings(ClassReader reader) {
    char[] buffer = new char[reader.getMaxStringLength()];
    Set<String> strings = new TreeSet<>();
    for (int item = 1; item < reader.getItemCount(); item++) {
      int offset = reader.getItem(item);
      if (offset > 0 && reader.readByte(offset - 1) == 8) { // a String in a constant pool
        strings.add(reader.readUTF8(offset, buffer));
      }
    }
    return strings;
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

  private static String member(String name, String descriptor) {
    return name + (descriptor.startsWith("(") ? "" : ":") + descriptor;
  }

  private void use(String kind, String owner, String name, String descriptor) {
    type(Type.getObjectType(owner));
    type(Type.getType(descriptor));
    if (!owner.startsWith("[")) {
      uses.add(kind + owner + "." + member(name, descriptor));
    }
  }

  private void constant(Object value) {
    if (value instanceof Handle) {
      Handle handle = (Handle) value;
      use("", handle.getOwner(), handle.getName(), handle.getDesc());
    } else if (value instanceof Type) {
      type((Type) value);
      uses.add("named " + ((Type) value).getInternalName());
    }
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
    return new MethodVisitor(Opcodes.ASM9) {
      @Override
      public void visitTypeInsn(int opcode, String type) {
        type(Type.getObjectType(type));
      }

      @Override
      public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
        type(type == null ? Type.VOID_TYPE : Type.getObjectType(type));
      }

      @Override
      public void visitLdcInsn(Object value) {
        constant(value);
      }

      @Override
      public void visitFieldInsn(int opcode, String owner, String name, String type) {
        use("", owner, name, type);
      }

      @Override
      public void visitMethodInsn(int opcode, String owner, String name, String type, boolean in) {
        boolean above = opcode == Opcodes.INVOKESPECIAL && !name.equals("<init>");
        use(above ? "super " : "", owner, name, type);
      }

      @Override
      public void visitInvokeDynamicInsn(String name, String type, Handle by, Object... arguments) {
        type(Type.getType(type));
        List.of(arguments).forEach(ClassFile.this::constant);
        if (by.getOwner().equals("java/lang/invoke/LambdaMetafactory")) {
          uses.add("lambda " + Type.getReturnType(type).getInternalName());
        }
      }
    };
  }
}
