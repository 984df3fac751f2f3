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

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each fault that another version of a class A may bring to one that uses it. */
class LinkFaultsTest {
  // Ours | A before | A after | the gap, with A for its whole name
  private static final String[] CASES = {
    "class Our { int of(A a) { return a.f + a.m(); } }"
        + "|class A { public int f; public int m() { return 0; } }"
        + "|class A { public int m() { return 1; } int more; public int f; }|",
    "class Our { static class Inner { Runnable of(A a) { return () -> a.f++; } } }"
        + "|class A { public int f; }"
        + "|class A {}|A.f:I: missing",
    "class Our { Object of(A.B b) { return b.f; } }"
        + "|class A { public static class B { public int f; } }"
        + "|class A {}|A$B: missing",
    "class Our { void of(A a) { a.m(1); } }"
        + "|class A { public void m(int i) {} }"
        + "|class A { public void m(long i) {} }|A.m(I)V: missing",
    "class Our { void of(A a) { a.f = 1; } }"
        + "|class A { public int f; }"
        + "|class A { protected int f; }|A.f:I: not accessible",
    "class Our extends A { int of() { return f; } }"
        + "|class A { public int f; }"
        + "|class A { protected int f; }|",
    "class Our { void of() { A.m(); } }"
        + "|class A { public static void m() {} }"
        + "|class A { public void m() {} }|A.m()V: of an object of a class",
    "class Our { void of(A a) { a.m(); } }"
        + "|interface A { void m(); }"
        + "|abstract class A { public abstract void m(); }|A.m()V: of an object of a class",
    "class Our extends A { protected void m(int i) {} }"
        + "|class A { protected void m(int i) {} }"
        + "|class A {}|overrides m(I)V: missing",
    "class Our extends A { public void m() {} }"
        + "|class A { public void m() {} }"
        + "|class A { public final void m() {} }|overrides m()V: final",
    "class Our extends A {}" + "|class A {}" + "|final class A {}|extends A: final",
    "class Our implements A { public void m() {} }|interface A { void m(); }|interface A { void"
        + " m(); void n(); default void o() {} }|abstract and not implemented: [n()V]",
    "class Our { A of() { return () -> {}; } }"
        + "|interface A { void m(); }"
        + "|interface A { void m(); void n(); }|lambda A: [m()V, n()V]",
    "class Our extends A { void o() { super.m(); } public void m() {} }"
        + "|class A { public void m() {} }"
        + "|abstract class A { public abstract void m(); }|super A.m()V: abstract",
    "class Our { Object of(A a) { return a.m(); } }|class A { public Class<Long> m() { return null;"
        + " } }|class A { public Class<String> m() { return null; } }|A.m()Ljava/lang/Class;:"
        + " ()Ljava/lang/Class<Ljava/lang/String;>;",
    "class Our { Object of(A a) { return a.m(); } }"
        + "|class A { public Class<Long> m() { return null; } }"
        + "|class A { public Class<? extends Long> m() { return null; } }|",
    "class Our { String s = \"hbase.a\"; String t = \"hbase.hybrid.c\"; }"
        + "|class A { String k = \"hbase.a\"; String l = \"hbase.hybrid.c\"; }"
        + "|class A { String k = \"hbase.aa\"; }|key hbase.a: missing",
    "class Our { String s = \"org.apache.hadoop.x17.A$B\"; }"
        + "|class A { public static class B {} }"
        + "|class A {}|A$B: missing",
    "class Our { Object of() throws Exception { return A.class.getDeclaredField(\"f\"); } }"
        + "|class A { private int f; private int g; }"
        + "|class A { private long f; }|named A.f:I: missing",
  };

  @TempDir Path scratch;

  /** One part of all cases, each in a package of its own. */
  private Path compile(int part, Path against) throws IOException {
    Path classes = Files.createDirectory(scratch.resolve("classes" + part));
    List<String> arguments =
        new ArrayList<>(List.of("-proc:none", "-nowarn", "-d", classes.toString()));
    arguments.addAll(List.of("-cp", against.toString()));
    for (int i = 0; i < CASES.length; i++) {
      String source = CASES[i].split("\\|", -1)[part];
      String type = source.replaceAll(".*?(?:class|interface) (\\w+).*", "$1");
      Path home = Files.createDirectories(scratch.resolve(part + "/" + i));
      String package_ = "package org.apache.hadoop.x" + i + (part == 0 ? ".ours" : "") + "; ";
      String import_ = part == 0 ? "import org.apache.hadoop.x" + i + ".*; " : "";
      Path file = home.resolve(type + ".java");
      Files.writeString(file, package_ + import_ + "public " + source);
      arguments.add(file.toString());
    }
    String[] all = arguments.toArray(new String[0]);
    assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, all));
    return classes;
  }

  @Test
  void eachIsFound() throws IOException {
    Path before = compile(1, scratch);
    Path after = compile(2, scratch);
    Path ours = compile(0, before);
    List<String> expected = new ArrayList<>();
    List<String> found = new ArrayList<>();
    try (ClassPath built = new ClassPath(List.of(ours, before));
        ClassPath there = new ClassPath(List.of(ours, after))) {
      for (int i = 0; i < CASES.length; i++) {
        String x = "org/apache/hadoop/x" + i + "/";
        String type = x + "ours/Our" + (CASES[i].contains("Inner") ? "$Inner" : "");
        Map<String, Set<String>> holders = Map.of("hbase.a", Set.of(x + "A"));
        String gap = CASES[i].split("\\|", -1)[3];
        expected.add(gap.isEmpty() ? "" : "- " + gap + " (Our)");
        found.add(String.join("; ", LinkCheck.gaps(type, built, there, holders)).replace(x, ""));
      }
    }
    assertEquals(String.join("\n", expected), String.join("\n", found));
  }
}
