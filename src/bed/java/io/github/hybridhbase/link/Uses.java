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
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Collects what a class file refers to. Annotations and debug information link nothing. */
@InterfaceAudience.Private
final class Uses extends ClassVisitor {
  private final List<Use> found = new ArrayList<>();

  private Uses() {
    super(Opcodes.ASM9);
  }

  static List<Use> of(byte[] bytes) {
    Uses uses = new Uses();
    new ClassReader(bytes).accept(uses, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return uses.found;
  }

  private void type(Use.Kind kind, Type type) {
    switch (type.getSort()) {
      case Type.ARRAY:
        type(kind, type.getElementType());
        break;
      case Type.METHOD:
        type(kind, type.getReturnType());
        for (Type argument : type.getArgumentTypes()) {
          type(kind, argument);
        }
        break;
      case Type.OBJECT:
        found.add(new Use(kind, type.getInternalName(), "", "", false));
        break;
      default: // a primitive
    }
  }

  private void named(String internal) {
    type(Use.Kind.CLASS, Type.getObjectType(internal));
  }

  private void described(String descriptor) {
    type(Use.Kind.TYPE, Type.getType(descriptor));
  }

  private void member(
      Use.Kind kind, String owner, String name, String descriptor, boolean ofInterface) {
    named(owner);
    described(descriptor);
    if (!owner.startsWith("[")) {
      found.add(new Use(kind, owner, name, descriptor, ofInterface));
    }
  }

  private void handle(Handle handle) {
    Use.Kind kind;
    switch (handle.getTag()) {
      case Opcodes.H_GETFIELD:
      case Opcodes.H_PUTFIELD:
        kind = Use.Kind.FIELD;
        break;
      case Opcodes.H_GETSTATIC:
      case Opcodes.H_PUTSTATIC:
        kind = Use.Kind.STATIC_FIELD;
        break;
      case Opcodes.H_INVOKESTATIC:
        kind = Use.Kind.STATIC_METHOD;
        break;
      default:
        kind = Use.Kind.METHOD;
    }
    member(kind, handle.getOwner(), handle.getName(), handle.getDesc(), handle.isInterface());
  }

  private void constant(Object value) {
    if (value instanceof Type) {
      Type type = (Type) value;
      type(type.getSort() == Type.METHOD ? Use.Kind.TYPE : Use.Kind.LITERAL, type);
    } else if (value instanceof Handle) {
      handle((Handle) value);
    }
  }

  @Override
  public void visit(
      int version, int access, String name, String signature, String above, String[] interfaces) {
    named(above);
    for (String each : interfaces) {
      named(each);
    }
  }

  @Override
  public FieldVisitor visitField(
      int access, String name, String descriptor, String signature, Object value) {
    described(descriptor);
    return null;
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    described(descriptor);
    return new Code();
  }

  private final class Code extends MethodVisitor {
    Code() {
      super(Opcodes.ASM9);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      named(type);
    }

    @Override
    public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
      type(Use.Kind.CLASS, Type.getType(descriptor));
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
      if (type != null) {
        named(type);
      }
    }

    @Override
    public void visitLdcInsn(Object value) {
      constant(value);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      boolean isStatic = opcode == Opcodes.GETSTATIC || opcode == Opcodes.PUTSTATIC;
      member(isStatic ? Use.Kind.STATIC_FIELD : Use.Kind.FIELD, owner, name, descriptor, false);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean ofInterface) {
      Use.Kind kind = Use.Kind.METHOD;
      if (opcode == Opcodes.INVOKESTATIC) {
        kind = Use.Kind.STATIC_METHOD;
      } else if (opcode == Opcodes.INVOKESPECIAL && !name.equals("<init>")) {
        kind = Use.Kind.SUPER_METHOD;
      }
      member(kind, owner, name, descriptor, ofInterface);
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      described(descriptor);
      for (Object argument : arguments) {
        constant(argument);
      }
      if (bootstrap.getOwner().equals("java/lang/invoke/LambdaMetafactory")) {
        String made = Type.getReturnType(descriptor).getInternalName();
        String erased = ((Type) arguments[0]).getDescriptor();
        member(Use.Kind.LAMBDA, made, name, erased, true);
      }
    }
  }
}
