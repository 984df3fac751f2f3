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
package io.github.hybridhbase.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import org.apache.commons.codec.digest.DigestUtils;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code mvn package} made: the jar for HBase's lib, and the archive. */
@InterfaceAudience.Private
class ArchiveIT {
  @TempDir private Path directory;
  private Path archive;

  @BeforeEach
  void find() throws IOException {
    Path target = TypedCluster.baseDirectory().resolve("target");
    try (var archives = Files.newDirectoryStream(target, "hbase-hybrid-storage-*-bin.tar.gz")) {
      archives.forEach(one -> archive = one);
    }
    assumeTrue(archive != null, "mvn package makes it");
  }

  private Path unpacked() throws Exception {
    Process tar =
        new ProcessBuilder("tar", "-xpzf", archive.toString(), "-C", directory.toString())
            .inheritIO()
            .start();
    assertEquals(0, tar.waitFor());
    return directory.resolve(archive.getFileName().toString().replace("-bin.tar.gz", ""));
  }

  /** Of the only jar in a directory. */
  private static List<String> entries(Path directory) throws IOException {
    try (var jars = Files.newDirectoryStream(directory, "*.jar");
        JarFile file = new JarFile(jars.iterator().next().toFile())) {
      return file.stream()
          .map(entry -> entry.getName())
          .filter(name -> !name.endsWith("/"))
          .collect(Collectors.toList());
    }
  }

  @Test
  void theArchiveHasWhatAnOperatorNeeds() throws Exception {
    Path root = unpacked();
    String name = root.getFileName().toString();
    String files =
        "lib/NAME.jar lib/bed/NAME-bed.jar lib/bed/pom.xml lib/bed/lines.properties"
            + " bin/hbase-hybrid conf/hbase-site.xml conf/hdfs-site.xml docs/configuration.md"
            + " README.md CHANGELOG.md SECURITY.md LICENSE NOTICE bom.json";
    for (String file : files.replace("NAME", name).split(" ")) {
      assertTrue(Files.isRegularFile(root.resolve(file)), file);
    }
    assertTrue(Files.isExecutable(root.resolve("bin/hbase-hybrid")));
    String pom = Files.readString(root.resolve("lib/bed/pom.xml"));
    assertFalse(pom.contains("${"), pom);
    JsonObject bill =
        JsonParser.parseString(Files.readString(root.resolve("bom.json"))).getAsJsonObject();
    assertEquals("CycloneDX", bill.get("bomFormat").getAsString());
  }

  /** HBase reads every log4j.properties in its lib. */
  @Test
  void theJarHasOurClassesAndItsLicenceAndNothingElse() throws Exception {
    List<String> entries = entries(unpacked().resolve("lib"));
    assertTrue(entries.contains("META-INF/LICENSE") && entries.contains("META-INF/NOTICE"));
    List<String> strange = new ArrayList<>(entries);
    strange.removeIf(
        name ->
            name.startsWith("META-INF/maven/")
                || List.of("META-INF/MANIFEST.MF", "META-INF/LICENSE", "META-INF/NOTICE")
                    .contains(name)
                || name.startsWith("io/github/hybridhbase/")
                    && Files.exists(source("src/main", name)));
    assertEquals(List.of(), strange);
  }

  private static Path source(String tree, String entry) {
    Path root = TypedCluster.baseDirectory().resolve(tree);
    return entry.endsWith(".class")
        ? root.resolve("java/" + entry.replaceFirst("(\\$[^/]*)?\\.class$", ".java"))
        : root.resolve("resources/" + entry);
  }

  @Test
  void theBedsJarHasNoTests() throws Exception {
    List<String> entries = entries(unpacked().resolve("lib/bed"));
    assertTrue(entries.contains("io/github/hybridhbase/bed/Demo.class"));
    assertFalse(entries.stream().anyMatch(name -> name.matches(".*(Test|IT)\\.class")));
  }

  @Test
  void theChecksumsAreThoseOfTheArchive() throws Exception {
    byte[] bytes = Files.readAllBytes(archive);
    Map<String, String> sums =
        Map.of(".sha256", DigestUtils.sha256Hex(bytes), ".sha512", DigestUtils.sha512Hex(bytes));
    for (String suffix : sums.keySet()) {
      assertEquals(
          sums.get(suffix) + "  " + archive.getFileName() + "\n",
          Files.readString(Path.of(archive + suffix)));
    }
  }
}
