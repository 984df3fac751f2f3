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
package io.github.hybridhbase.foreign;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.apache.yetus.audience.InterfaceAudience;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Changes classes while they are loaded, in three places. Constructors of the plugin's classes are
 * counted ({@link Made}). A test of HBase's that sets {@code hbase.wal.provider} in its code sets
 * {@code hbase.hybrid.wal.delegate} in its place, so that the provider stays the plugin's and the
 * one that the test wants does its writing. HDFS's mini-cluster gives each DataNode an SSD and a
 * DISK volume where it would give it two of DISK.
 */
@InterfaceAudience.Private
public final class Agent implements ClassFileTransformer {
  private static final String TESTS = "-tests.jar";
  private static final String MINI_CLUSTER = "org/apache/hadoop/hdfs/MiniDFSCluster";
  private static final String MEDIUM = "org/apache/hadoop/fs/StorageType";
  private static final String MADE = Made.class.getName().replace('.', '/');
  private static final String DELEGATES = Delegates.class.getName().replace('.', '/');
  private static final String CONFIGURATION = "org/apache/hadoop/conf/Configuration";
  private static final String PROVIDER = "hbase.wal.provider";

  /** Its option where a test's provider stays, since it is what the test is about. */
  static final String KEEP = "keep";

  private final boolean keep;

  private Agent(boolean keep) {
    this.keep = keep;
  }

  /** The JVM calls this before its main class. */
  public static void premain(String options, Instrumentation instrumentation) {
    instrumentation.addTransformer(new Agent(KEEP.equals(options)));
  }

  /** Writes the jar that {@code -javaagent} wants; the classes are those of the class path. */
  static Path jar(Path file) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", Agent.class.getName());
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out, manifest)) {
      jar.finish();
    }
    return file;
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> old, ProtectionDomain from, byte[] bytes) {
    Made.Kind kind = name == null ? null : Made.Kind.of(name);
    if (kind != null) {
      return change(bytes, (method, to) -> method.equals("<init>") ? new Count(to, kind) : to);
    }
    if (MINI_CLUSTER.equals(name)) {
      return change(bytes, (method, to) -> method.equals("makeDataNodeDirs") ? new Media(to) : to);
    }
    boolean test =
        !keep
            && name != null
            && name.startsWith("org/apache/hadoop/hbase/")
            && from != null
            && from.getCodeSource() != null
            && from.getCodeSource().getLocation().getPath().endsWith(TESTS);
    return test ? change(bytes, (method, to) -> new Delegate(to)) : null;
  }

  /** What sees to the code of one method, by its name. */
  private interface Methods {
    MethodVisitor of(String name, MethodVisitor to);
  }

  private static byte[] change(byte[] bytes, Methods methods) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String type, String signature, String[] exceptions) {
            return methods.of(name, super.visitMethod(access, name, type, signature, exceptions));
          }
        },
        0);
    return writer.toByteArray();
  }

  /** Counts when a constructor begins. */
  private static final class Count extends MethodVisitor {
    private final Made.Kind kind;

    Count(MethodVisitor to, Made.Kind kind) {
      super(Opcodes.ASM9, to);
      this.kind = kind;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      visitLdcInsn(kind.name());
      visitMethodInsn(Opcodes.INVOKESTATIC, MADE, "one", "(Ljava/lang/String;)V", false);
    }
  }

  /** Names the delegate where the provider was named: javac has copied HBase's constant. */
  private static final class Delegate extends MethodVisitor {
    Delegate(MethodVisitor to) {
      super(Opcodes.ASM9, to);
    }

    @Override
    public void visitLdcInsn(Object value) {
      super.visitLdcInsn(PROVIDER.equals(value) ? Delegates.KEY : value);
    }

    @Override
    public void visitMethodInsn(int code, String owner, String name, String type, boolean face) {
      if (name.equals("setClass") && owner.equals(CONFIGURATION)) {
        String of = "(L" + CONFIGURATION + ";" + type.substring(1);
        super.visitMethodInsn(Opcodes.INVOKESTATIC, DELEGATES, name, of, false);
      } else {
        super.visitMethodInsn(code, owner, name, type, face);
      }
    }
  }

  /** Asks for the medium of each volume where the default was taken. */
  private static final class Media extends MethodVisitor {
    Media(MethodVisitor to) {
      super(Opcodes.ASM9, to);
    }

    @Override
    public void visitFieldInsn(int code, String owner, String name, String type) {
      if (code == Opcodes.GETSTATIC && owner.equals(MEDIUM) && name.equals("DEFAULT")) {
        visitMethodInsn(Opcodes.INVOKESTATIC, MADE, "medium", "()L" + MEDIUM + ";", false);
      } else {
        super.visitFieldInsn(code, owner, name, type);
      }
    }
  }
}
