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

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javassist.ClassPool;
import javassist.CtClass;
import javassist.CtField;
import javassist.CtMember;
import javassist.CtMethod;
import javassist.LoaderClassPath;
import javassist.Modifier;
import javassist.NotFoundException;
import javassist.bytecode.ClassFile;
import javassist.bytecode.ConstPool;
import javassist.bytecode.Descriptor;

/**
 * What the plugin's classes find on a class path, of which Javassist reads classes and loads none:
 * facts of each type and member that one uses, overrides or names in a string. A fact that differs
 * on two class paths is a gap.
 */
final class LinkCheck {
  private static final Pattern KEY =
      Pattern.compile("(?!hbase\\.hybrid\\.)(hbase|dfs|ipc|fs|hadoop|zookeeper)(\\.[\\w-]+)+");
  private static final Pattern CLASS = Pattern.compile("org\\.apache\\.hadoop(\\.[\\w$]+)+");

  final ClassPool classes = new ClassPool();

  /** In classes of Hadoop and HBase. */
  private final Set<String> keys = new HashSet<>();

  LinkCheck(Path ours, List<Path> jars) throws IOException, NotFoundException {
    classes.appendClassPath(ours.toString());
    classes.appendClassPath(new LoaderClassPath(ClassLoader.getPlatformClassLoader()));
    for (Path path : jars) {
      classes.appendClassPath(path.toString());
      try (JarFile jar = new JarFile(path.toFile())) {
        for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
          if (entry.getName().matches("org/apache/hadoop/.*\\.class")) {
            DataInputStream in =
                new DataInputStream(new BufferedInputStream(jar.getInputStream(entry)));
            in.readLong(); // the magic number and the version
            strings(new ConstPool(in)).filter(KEY.asMatchPredicate()).forEach(keys::add);
          }
        }
      }
    }
  }

  private static Stream<String> strings(ConstPool of) {
    return IntStream.range(1, of.getSize())
        .filter(at -> of.getTag(at) == ConstPool.CONST_String)
        .mapToObj(of::getStringInfo);
  }

  /** A method, constructor or field that a class has or inherits. */
  static Optional<CtMember> member(CtClass of, String name, String type) {
    try {
      return Optional.of(
          !type.startsWith("(")
              ? of.getField(name, type)
              : name.equals("<init>") ? of.getConstructor(type) : of.getMethod(name, type));
    } catch (NotFoundException e) {
      return Optional.empty();
    }
  }

  /** Methods for which an object of the class would throw an AbstractMethodError. */
  private static String unimplemented(CtClass of) {
    return Stream.of(of.getMethods())
        .filter(method -> Modifier.isAbstract(method.getModifiers()))
        .map(method -> method.getName() + method.getSignature())
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private static String nature(CtMember member, int flags) {
    String types = member.getGenericSignature();
    return (Modifier.toString(member.getModifiers() & flags)
            + (types == null ? "" : " " + types.replace("+", ""))) // '? extends T' is read as T is
        .strip();
  }

  private static String label(CtMember member) {
    return member.getName() + (member instanceof CtField ? ":" : "") + member.getSignature();
  }

  /** What each fact is about, and the fact; a type or member that is missing has none. */
  SortedMap<String, String> facts(String name) throws NotFoundException {
    CtClass ours = classes.get(name);
    ConstPool constants = ours.getClassFile2().getConstPool();
    Set<String> strings = strings(constants).collect(Collectors.toSet());
    SortedMap<String, String> facts = new TreeMap<>();
    Stream.concat(ours.getRefClasses().stream(), strings.stream().filter(CLASS.asMatchPredicate()))
        .map(classes::getOrNull)
        .filter(Objects::nonNull)
        .forEach(type -> type(type, strings, facts));
    for (int at = 1; at < constants.getSize(); at++) {
      int tag = constants.getTag(at);
      if (tag >= ConstPool.CONST_Fieldref && tag <= ConstPool.CONST_InterfaceMethodref) {
        use(ours, constants, at, facts);
      } else if (tag == ConstPool.CONST_InvokeDynamic) {
        String made = constants.getInvokeDynamicType(at);
        CtClass type =
            classes.getOrNull(Descriptor.toClassName(made.substring(made.indexOf(')') + 1)));
        if (type != null) {
          facts.put("lambda " + Descriptor.toJvmName(type), unimplemented(type));
        }
      }
    }
    if (!Modifier.isAbstract(ours.getModifiers())) {
      facts.put("abstract and not implemented", unimplemented(ours));
    }
    for (CtMethod own : ours.getDeclaredMethods()) {
      overridden(ours, own)
          .ifPresent(it -> facts.put("overrides " + label(own), nature(it, Modifier.FINAL)));
    }
    strings.stream()
        .filter(text -> KEY.matcher(text).matches() && keys.contains(text))
        .forEach(text -> facts.put("key " + text, ""));
    return facts;
  }

  /** A type, and its members that are named by strings. */
  private static void type(CtClass type, Set<String> strings, Map<String, String> facts) {
    String name = Descriptor.toJvmName(type);
    facts.put(name, Modifier.toString(type.getModifiers() & (Modifier.PUBLIC | Modifier.FINAL)));
    Stream.<CtMember>concat(
            Stream.of(type.getDeclaredMethods()), Stream.of(type.getDeclaredFields()))
        .filter(member -> strings.contains(member.getName()))
        .forEach(member -> facts.put("named " + name + "." + label(member), ""));
  }

  /** A member that an instruction names. */
  private void use(CtClass ours, ConstPool constants, int at, Map<String, String> facts) {
    CtClass owner = classes.getOrNull(constants.getClassInfo(constants.getMemberClass(at)));
    int named = constants.getMemberNameAndType(at);
    String name = constants.getUtf8Info(constants.getNameAndTypeName(named));
    String type = constants.getUtf8Info(constants.getNameAndTypeDescriptor(named));
    Optional.ofNullable(owner)
        .flatMap(it -> member(it, name, type))
        .ifPresent(
            found -> {
              boolean ofSuper =
                  owner.getName().equals(ours.getClassFile2().getSuperclass())
                      && found instanceof CtMethod;
              int flags = Modifier.STATIC | (ofSuper ? Modifier.ABSTRACT : 0);
              facts.put(
                  (ofSuper ? "super " : "") + Descriptor.toJvmName(owner) + "." + label(found),
                  (found.visibleFrom(ours) ? "" : "not accessible ")
                      + nature(found, flags)
                      + (owner.isInterface() ? " in an interface" : ""));
            });
  }

  /** What a method of ours overrides, of those above that are there. */
  private Optional<CtMember> overridden(CtClass ours, CtMethod own) {
    ClassFile file = ours.getClassFile2();
    return Stream.concat(Stream.of(file.getSuperclass()), Stream.of(file.getInterfaces()))
        .map(classes::getOrNull)
        .filter(Objects::nonNull)
        .flatMap(above -> member(above, own.getName(), own.getSignature()).stream())
        .filter(it -> (it.getModifiers() & (Modifier.PRIVATE | Modifier.STATIC)) == 0)
        .findFirst();
  }
}
