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
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each fault that another version of a class may bring, on classes of a few words. */
class LinkFaultsTest {
  private static final String PACKAGE = "org.apache.hadoop.x";
  private static final String IMPORT = "import " + PACKAGE + ".*; import java.util.*; ";

  @TempDir Path scratch;

  /** What is found where {@code before} has become {@code after}. */
  private List<String> gaps(String ours, String before, String after) throws IOException {
    return gaps(ours, new String[] {before}, after);
  }

  private List<String> gaps(String ours, String[] before, String... after) throws IOException {
    Path old = compile("before", PACKAGE, List.of(), before).jar();
    Path other = compile("after", PACKAGE, List.of(), after).jar();
    Compiled compiled = compile("ours", "ours", List.of(old), IMPORT + ours);
    OurClasses classes = OurClasses.below(compiled.directory());
    try (JarSet built = new JarSet(List.of(old));
        JarSet there = new JarSet(List.of(other))) {
      assertEquals(Set.of(), all(classes, built, built), "against itself");
      return all(classes, built, there).stream().map(Gap::toString).collect(Collectors.toList());
    }
  }

  private Compiled compile(String name, String packageName, List<Path> against, String... sources)
      throws IOException {
    Path directory = Files.createDirectory(scratch.resolve(name));
    return new Compiled(directory, packageName, against, sources);
  }

  private static SortedSet<Gap> all(OurClasses ours, JarSet built, JarSet there) {
    SortedSet<Gap> gaps = LinkCheck.gaps(ours, built, there, name -> true);
    gaps.addAll(new NamedThings(ours, built).gaps(there, name -> true));
    return gaps;
  }

  private static final String X = "- org.apache.hadoop.x.";

  @Test
  void theSameHasNoGap() throws IOException {
    assertEquals(
        List.of(),
        gaps(
            "class Our { int of(A a) { return a.f + a.m(); } }",
            "public class A { public int f; public int m() { return 0; } }",
            "public class A { public int m() { return 1; } int more; public int f; }"));
  }

  @Test
  void aClassThatIsMissingIsOneGap() throws IOException {
    assertEquals(
        List.of(X + "B is missing (Our)"),
        gaps(
            "class Our { Object of() { return B.make().hashCode() + new B().f; } }",
            new String[] {
              "public class A {}",
              "public class B { public int f; public static B make() { return null; } }"
            },
            "public class A {}"));
  }

  @Test
  void theOutermostClassOfOursIsNamed() throws IOException {
    assertEquals(
        List.of(X + "A.f: int is missing (Our)"),
        gaps(
            "class Our { static class Inner { Runnable of(A a) { return () -> a.f++; } } }",
            "public class A { public int f; }",
            "public class A {}"));
  }

  @Test
  void aMethodIsItsDescriptor() throws IOException {
    assertEquals(
        List.of(
            X + "A.<init>(int): void is missing (Our)",
            X + "A.m(List, boolean): void is missing (Our)"),
        gaps(
            "class Our { void of() { new A(1).m(null, true); } }",
            "public class A { public A(int i) {} public void m(List<String> l, boolean b) {} }"
                .replace("List", "java.util.List"),
            "public class A { public A(long i) {} public void m(java.util.List<String> l) {} }"));
  }

  @Test
  void aMethodMayMoveUpwards() throws IOException {
    assertEquals(
        List.of(),
        gaps(
            "class Our { void of(B b) { b.m(); } }",
            new String[] {"public class A {}", "public class B extends A { public void m() {} }"},
            "public class A { public void m() {} }",
            "public class B extends A {}"));
  }

  @Test
  void itsNatureCounts() throws IOException {
    assertEquals(
        List.of(
            X + "A.f: int is not accessible (Our)",
            X + "A.g: int is static (Our)",
            X + "A.m(): void is not static (Our)"),
        gaps(
            "class Our { void of(A a) { a.f = a.g; A.m(); } }",
            "public class A { public int f; public int g; public static void m() {} }",
            "public class A { protected int f; public static int g; public void m() {} }"));
  }

  @Test
  void aSubclassSeesWhatIsProtected() throws IOException {
    assertEquals(
        List.of(),
        gaps(
            "class Our extends A { int of() { return f; } }",
            "public class A { public int f; }",
            "public class A { protected int f; }"));
  }

  @Test
  void aClassIsNoInterface() throws IOException {
    assertEquals(
        List.of(X + "A.m(): void is not in an interface (Our)"),
        gaps(
            "class Our { void of(A a) { a.m(); } }",
            "public interface A { void m(); }",
            "public abstract class A { public abstract void m(); }"));
  }

  @Test
  void whatIsOverriddenMustBeThere() throws IOException {
    assertEquals(
        List.of(X + "A.m(int): void is missing: it is overridden (Our)"),
        gaps(
            "class Our extends A { @Override protected void m(int i) { super.m(i); } }",
            "public class A { protected void m(int i) {} }",
            "public class A { protected void m(long i) {} }"));
  }

  @Test
  void whatIsFinalIsNotOverridden() throws IOException {
    assertEquals(
        List.of(X + "A.m(): void is final (Our)"),
        gaps(
            "class Our extends A { @Override public void m() {} }",
            "public class A { public void m() {} }",
            "public class A { public final void m() {} }"));
  }

  @Test
  void whatIsFinalIsNotExtended() throws IOException {
    assertEquals(
        List.of(X + "A is final (Our)"),
        gaps("class Our extends A {}", "public class A {}", "public final class A {}"));
  }

  @Test
  void aNewAbstractMethodIsNotImplemented() throws IOException {
    assertEquals(
        List.of(X + "A.n(): void is abstract, and not implemented (Our)"),
        gaps(
            "class Our implements A { @Override public void m() {} }",
            "public interface A { void m(); }",
            "public interface A { void m(); void n(); default void o() {} }"));
  }

  @Test
  void aLambdaHasOneMethod() throws IOException {
    assertEquals(
        List.of(X + "A.n(): void is abstract, no lambda has it (Our)"),
        gaps(
            "class Our { A of() { return () -> {}; } }",
            "public interface A { void m(); }",
            "public interface A { void m(); void n(); }"));
  }

  @Test
  void superIsNotAbstract() throws IOException {
    assertEquals(
        List.of(X + "A.m(): void is abstract (Our)"),
        gaps(
            "class Our extends A { @Override public void m() { super.m(); } }",
            "public class A { public void m() {} }",
            "public abstract class A { public abstract void m(); }"));
  }

  @Test
  void typeArgumentsAreReadByNobodyButTheCode() throws IOException {
    assertEquals(
        List.of(X + "A.m(): Map has other type arguments: ()LMap<LString;LLong;>; (Our)"),
        gaps(
            "class Our { int of(A a) { return a.m().values().iterator().next().size(); } }",
            "public class A { public java.util.Map<String, java.util.List<Long>> m() {"
                + " return null; } }",
            "public class A { public java.util.Map<String, Long> m() { return null; } }"));
  }

  @Test
  void anUpperBoundReadsAsTheTypeItself() throws IOException {
    assertEquals(
        List.of(),
        gaps(
            "class Our { Object of(A a) { return a.m(); } }",
            "public class A { public java.util.List<String> m() { return null; } }",
            "public class A { public java.util.List<? extends String> m() { return null; } }"));
  }

  @Test
  void aKeyMustBeWhereItWas() throws IOException {
    assertEquals(
        List.of(
            "- org.apache.hadoop.x.B is missing (Our)",
            "- the key hbase.a is not in org.apache.hadoop.x.A (Our)"),
        gaps(
            "class Our { String[] s = {\"hbase.a\", \"hbase.b\", \"hbase.hybrid.c\", NAME};"
                + " static final String NAME = \"org.apache.hadoop.x.B\"; }",
            new String[] {
              "public class A { String k = \"hbase.a\"; String l = \"hbase.b\"; }",
              "public class B { String k = \"hbase.hybrid.c\"; }"
            },
            "public class A { String k = \"hbase.aa\"; String l = \"hbase.b\"; }",
            "public class C { String k = \"hbase.a\"; }"));
  }

  @Test
  void aMemberNamedBesideItsClassIsLookedFor() throws IOException {
    assertEquals(
        List.of("- org.apache.hadoop.x.A.f: int is missing (Our)"),
        gaps(
            "class Our { Object of() throws Exception {"
                + " return A.class.getDeclaredField(\"f\"); } }",
            "public class A { private int f; private int g; }",
            "public class A { private long f; }"));
  }
}
