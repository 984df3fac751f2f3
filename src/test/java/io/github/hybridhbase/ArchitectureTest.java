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
package io.github.hybridhbase;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.github.hybridhbase.report.Finding;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Scanner;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileSystem;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;

/**
 * The shape of the plugin, held by a test (docs/dev/design.md has the picture): packages use those
 * below them only, in no circle; one package talks to HDFS; who may worry an operator is named.
 */
@InterfaceAudience.Private
@AnalyzeClasses(
    packages = ArchitectureTest.ROOT,
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  static final String ROOT = "io.github.hybridhbase";

  /** From bottom to top. Packages of one layer may not use each other; all may use runtime. */
  private static final List<Set<String>> LAYERS =
      List.of(
          Set.of("runtime"),
          Set.of("report"),
          Set.of("hdfs"),
          Set.of("placement"),
          Set.of("scan"),
          Set.of("wal.failover"),
          Set.of("hot"),
          Set.of("tier", "wal.fallback", "wal.sync"),
          Set.of("wal"),
          Set.of("page"),
          Set.of("coprocessor", "tool.cli"),
          Set.of("tool.doctor", "tool.plan"),
          Set.of("tool"));

  /** Beside the package hdfs: who needs a class of HDFS's, and why. */
  private static final Set<String> MAY_USE_HDFS =
      Set.of(
          "FactFinder", // asks whether safe mode is on and what the DataNodes are
          "OpenAttemptMonitor", // HBase hands it DatanodeInfo
          "OpenState", // remembers which DataNodes did not respond
          "WalOpener", // tells which DataNode refused
          "HybridAsyncWriter", // names the DataNodes of its pipeline to the opener
          "HybridLogWriter", // likewise; asks for durable blocks, which only HDFS's builder can
          "GroupCommit",
          "Connections", // an AsyncFSOutput has one to each DataNode
          "WatchedOutput", // an AsyncFSOutput names its pipeline
          "Acknowledgements", // counts them by DataNode
          "Heartbeats", // asks those that are not late
          "StalledNodes", // remembers them
          "Pipeline", // tells the media of the DataNodes that a file is written to
          "FailOver", // leaves them
          "StoreReads"); // reads what its client counts of a store file

  /**
   * Who may log at WARN or ERROR: what acts on its own, on a thread or in a hook of a server, and
   * so has nobody to return a failure to. Everything else returns what it found, or throws.
   */
  private static final Set<String> MAY_WARN =
      Set.of(
          "ClusterWatch",
          "SsdTier",
          "DelegateProvider",
          "FailFastClient",
          "FailOver",
          "Failures",
          "HybridServer",
          "HybridAsyncWriter",
          "HybridWALProvider",
          "NewFiles",
          "OpenDeadline",
          "ProbeFile",
          "RecoveredEditsWriter",
          "ScanChore",
          "SplitCompactor",
          "StartCheck",
          "TierController",
          "TierService",
          "WalFallback",
          "WalOpener");

  /** Static fields that hold what changes, and why no object of a server can. */
  private static final Set<String> MAY_CHANGE =
      Set.of(
          "HybridKeys.ALL", // filled while the class is made, by the declarations
          "HybridServer.SERVERS", // finds such an object for what HBase makes by reflection
          "HybridMetrics.INSTANCE", // HBase's registry of metrics is one in a process
          "SsdNodeSearch.SEARCHES", // by the client of a server, weakly
          "NewFiles.CLIENTS", // by the client of a server, weakly
          "TierCompaction.RUNNING"); // of one thread, set and removed by one call

  /** By the packages within the root. */
  private static ArchRule noUse(String of, Collection<String> others) {
    return noClasses()
        .that()
        .resideInAPackage(ROOT + "." + of)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(others.stream().map(one -> ROOT + "." + one).toArray(String[]::new));
  }

  /** A class within a class counts as the outer one. */
  private static JavaClass outermost(JavaClass type) {
    JavaClass at = type;
    while (at.getEnclosingClass().isPresent()) {
      at = at.getEnclosingClass().get();
    }
    return at;
  }

  private static DescribedPredicate<JavaClass> noneOf(Set<String> names) {
    return describe(
        "are not among " + new TreeSet<>(names),
        type -> !names.contains(outermost(type).getSimpleName()));
  }

  private static DescribedPredicate<JavaAccess<?>> warning() {
    return describe(
        "log at WARN or ERROR",
        access ->
            access.getTargetOwner().isAssignableTo(Logger.class)
                && Set.of("warn", "error").contains(access.getTarget().getName()));
  }

  @ArchTest
  static void importsPointDownwards(JavaClasses classes) {
    Set<String> above = new TreeSet<>();
    for (int i = LAYERS.size() - 1; i >= 0; i--) {
      for (String name : LAYERS.get(i)) {
        Set<String> forbidden = new TreeSet<>(above);
        forbidden.addAll(LAYERS.get(i));
        forbidden.remove(name);
        if (!forbidden.isEmpty()) {
          noUse(name, forbidden).check(classes);
        }
      }
      above.addAll(LAYERS.get(i));
    }
    assertEquals(
        above.stream().map(name -> ROOT + "." + name).collect(Collectors.toSet()),
        classes.stream().map(JavaClass::getPackageName).collect(Collectors.toSet()));
  }

  /** What a WAL does must not depend on what store files do, nor the other way round. */
  @ArchTest static final ArchRule walKnowsNoTier = noUse("wal..", Set.of("tier..", "hot.."));

  @ArchTest static final ArchRule tierKnowsNoWal = noUse("tier..", Set.of("wal.."));

  @ArchTest static final ArchRule hotKnowsNoWal = noUse("hot..", Set.of("wal.."));

  @ArchTest
  static final ArchRule packagesFormNoCircle =
      slices().matching(ROOT + ".(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule classesFormNoCircle =
      slices()
          .assignedFrom(
              new SliceAssignment() {
                @Override
                public SliceIdentifier getIdentifierOf(JavaClass type) {
                  return SliceIdentifier.of(outermost(type).getName());
                }

                @Override
                public String getDescription() {
                  return "classes, each with those within it";
                }
              })
          .should()
          .beFreeOfCycles();

  @ArchTest
  static void whatChangesBelongsToAServer(JavaClasses classes) {
    List<String> found = new ArrayList<>();
    for (JavaClass type : classes) {
      for (JavaField field : type.getFields()) {
        boolean ours = !field.reflect().isSynthetic() && !field.getName().startsWith("$");
        String name = type.getSimpleName() + "." + field.getName();
        if (ours
            && field.getModifiers().contains(JavaModifier.STATIC)
            && !MAY_CHANGE.contains(name)) {
          StaticState.of(field.reflect()).ifPresent(found::add);
        }
      }
    }
    assertEquals(List.of(), found);
  }

  @ArchTest
  static final ArchRule onePackageTalksToHdfs =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + ".hdfs")
          .and(noneOf(MAY_USE_HDFS))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.hadoop.hdfs..");

  @ArchTest
  static final ArchRule thePageAsksHdfsNothing =
      noClasses()
          .that()
          .resideInAPackage(ROOT + ".page")
          .or()
          .haveNameMatching(".*\\.Master(Picture|Ui)")
          .should()
          .dependOnClassesThat(
              assignableTo(FileSystem.class)
                  .or(
                      nameMatching(
                          ".*\\.(Namespaces|StorageNamespace|DataNodeReader|Connection|Admin)")));

  /** The words are in findings.properties; a check passes facts. */
  @ArchTest
  static final ArchRule onlyReportWordsAFinding =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + ".report")
          .should()
          .callConstructorWhere(
              describe(
                  "creates a finding",
                  call -> call.getTargetOwner().isEquivalentTo(Finding.class)));

  /** HBase 3 has its classes in other packages. */
  @ArchTest
  static final ArchRule nothingNamesAClassOfJetty =
      noClasses()
          .that()
          .resideInAPackage(ROOT + "..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("..jetty..");

  /** The operator's declarations, as values. */
  private static final Set<String> DECLARED =
      Set.of(
          "Component",
          "HybridKeys",
          "HybridSettings",
          "Key",
          "Layout",
          "Mode",
          "StoragePolicy",
          "TableSettings",
          "TierBudget",
          "Values",
          "WalFiles");

  @ArchTest
  static void whatIsDeclaredDoesNoInputOrOutput(JavaClasses classes) {
    DescribedPredicate<JavaClass> declared =
        describe("are declarations", type -> DECLARED.contains(outermost(type).getSimpleName()));
    assertEquals(
        new TreeSet<>(DECLARED),
        classes.stream()
            .map(type -> outermost(type).getSimpleName())
            .filter(DECLARED::contains)
            .collect(Collectors.toCollection(TreeSet::new)));
    noClasses()
        .that(declared)
        .should()
        .dependOnClassesThat(assignableTo(FileSystem.class).or(assignableTo(Logger.class)))
        .check(classes);
  }

  /** A package that needs more has two ideas. */
  private static final int MOST_CLASSES = 30;

  @ArchTest
  static void aPackageHasFewClasses(JavaClasses classes) {
    Map<String, Long> sizes =
        classes.stream()
            .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
            .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
    sizes.values().removeIf(classesOfOne -> classesOfOne <= MOST_CLASSES);
    assertEquals(Map.of(), sizes);
  }

  @ArchTest
  static final ArchRule fewMayWorryAnOperator =
      noClasses().that(noneOf(MAY_WARN)).should().accessTargetWhere(warning());

  @ArchTest
  static final ArchRule everyClassStatesItsAudience =
      classes()
          .that()
          .areTopLevelClasses()
          .and()
          .doNotHaveSimpleName("package-info")
          .should()
          .beAnnotatedWith(
              describe(
                  "an audience",
                  one -> one.getRawType().getName().startsWith(InterfaceAudience.class.getName())));

  /** A default locale writes its own digits (ar-EG) and its own capitals (tr), also in keys. */
  private static boolean dependsOnTheDefaultLocale(JavaAccess<?> access) {
    JavaClass owner = access.getTargetOwner();
    String name = access.getTarget().getName();
    List<String> parameters =
        access instanceof JavaCodeUnitAccess
            ? ((JavaCodeUnitAccess<?>) access)
                .getTarget().getRawParameterTypes().stream()
                    .map(JavaClass::getName)
                    .collect(Collectors.toList())
            : List.of();
    if (parameters.contains(Locale.class.getName())) {
      return false;
    }
    boolean makes = name.equals("<init>");
    return owner.isEquivalentTo(String.class)
            && Set.of("format", "formatted", "toUpperCase", "toLowerCase").contains(name)
        || (owner.isAssignableTo(PrintStream.class) || owner.isAssignableTo(PrintWriter.class))
            && Set.of("format", "printf").contains(name)
        || owner.isAssignableTo(java.text.Format.class) && (makes || name.startsWith("get"))
        || owner.isEquivalentTo(Formatter.class) && makes
        || owner.isEquivalentTo(Scanner.class) && makes
        || owner.isEquivalentTo(DateTimeFormatter.class) && name.startsWith("ofPattern")
        || owner.isEquivalentTo(Locale.class) && name.equals("getDefault");
  }

  @ArchTest
  static final ArchRule nothingDependsOnTheDefaultLocale =
      noClasses()
          .should()
          .accessTargetWhere(
              describe(
                  "depend on the default locale", ArchitectureTest::dependsOnTheDefaultLocale));
}
