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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
 * What a class file declares and what it uses. A use is written as the class's internal name, with
 * {@code .name(arguments)type} or {@code .name:type} behind it for a member.
 */
@InterfaceAudience.Private
final class ClassFile extends ClassVisitor {
  private static final int STRING = 8; // the tag of a String in a constant pool

  private final ClassReader reader;

  String name;
  int access;
  final List<String> parents = new ArrayList<>();

  /** Access flags, by name and descriptor. */
  final Map<String, Integer> members = new LinkedHashMap<>();

  /** With type arguments, by name and descriptor. */
  final Map<String, String> signatures = new HashMap<>();

  final Set<String> types = new TreeSet<>();
  final Set<String> uses = new TreeSet<>();
  final Set<String> superCalls = new TreeSet<>();
  final Set<String> lambdas = new TreeSet<>();
  final Set<String> literals = new TreeSet<>();

  ClassFile(byte[] bytes) {
    super(Opcodes.ASM9);
    reader = new ClassReader(bytes);
    reader.accept(this, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
  }

  boolean is(int flag) {
    return (access & flag) != 0;
  }

  boolean is(String member, int flag) {
    return (members.get(member) & flag) != 0;
  }

  Set<String> strings() {
    return strings(reader);
  }

  /** String constants. */
  static Set<String> strings(ClassReader reader) {
    char[] buffer = new char[reader.getMaxStringLength()];
    Set<String> strings = new TreeSet<>();
    for (int item = 1; item < reader.getItemCount(); item++) {
      int offset = reader.getItem(item);
      if (offset > 0 && reader.readByte(offset - 1) == STRING) {
        strings.add(reader.readUTF8(offset, buffer));
      }
    }
    return strings;
  }

  private static String member(String name, String descriptor) {
    return name + (descriptor.startsWith("(") ? "" : ":") + descriptor;
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

  private void use(Set<String> into, String owner, String name, String descriptor) {
    type(Type.getObjectType(owner));
    type(Type.getType(descriptor));
    if (!owner.startsWith("[")) {
      into.add(owner + "." + member(name, descriptor));
    }
  }

  private void constant(Object value) {
    if (value instanceof Handle) {
      Handle handle = (Handle) value;
      use(uses, handle.getOwner(), handle.getName(), handle.getDesc());
    } else if (value instanceof Type) {
      type((Type) value);
      literals.add(((Type) value).getInternalName());
    }
  }

  private void declare(int access, String name, String descriptor, String signature) {
    type(Type.getType(descriptor));
    members.put(member(name, descriptor), access);
    signatures.put(member(name, descriptor), signature == null ? "" : signature);
  }

  @Override
  public void visit(
      int version, int access, String name, String signature, String above, String[] interfaces) {
    this.name = name;
    this.access = access;
    if (above != null) {
      parents.add(above);
    }
    parents.addAll(List.of(interfaces));
    types.addAll(parents);
  }

  @Override
  public FieldVisitor visitField(
      int access, String name, String descriptor, String signature, Object value) {
    declare(access, name, descriptor, signature);
    return null;
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    declare(access, name, descriptor, signature);
    return new MethodVisitor(Opcodes.ASM9) {
      @Override
      public void visitTypeInsn(int opcode, String type) {
        type(Type.getObjectType(type));
      }

      @Override
      public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
        if (type != null) {
          types.add(type);
        }
      }

      @Override
      public void visitLdcInsn(Object value) {
        constant(value);
      }

      @Override
      public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        use(uses, owner, name, descriptor);
      }

      @Override
      public void visitMethodInsn(
          int opcode, String owner, String name, String descriptor, boolean ofInterface) {
        boolean above = opcode == Opcodes.INVOKESPECIAL && !name.equals("<init>");
        use(above ? superCalls : uses, owner, name, descriptor);
      }

      @Override
      public void visitInvokeDynamicInsn(
          String name, String descriptor, Handle bootstrap, Object... arguments) {
        type(Type.getType(descriptor));
        List.of(arguments).forEach(ClassFile.this::constant);
        if (bootstrap.getOwner().equals("java/lang/invoke/LambdaMetafactory")) {
          lambdas.add(Type.getReturnType(descriptor).getInternalName());
        }
      }
    };
  }
}
