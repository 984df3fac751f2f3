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
package io.github.hybridhbase.bed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.testing.Line;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is looked for in logs: without it nothing would be found wrong. */
class BedTest {
  @TempDir Path scratch;

  /** HBase's master logs what an aborting RegionServer reports to it, with the same line. */
  @Test
  void anAbortIsListedForTheServerItself() throws IOException {
    log(
        "m0",
        "ERROR ***** ABORTING master m0: no ***** ",
        "WARN rs0 reported a fatal error:",
        "***** ABORTING region server rs0: no *****");
    log("rs0", "ERROR ***** ABORTING region server rs0: no *****");
    assertEquals(
        List.of(
            "m0: ERROR ***** ABORTING master m0: no ***** ",
            "rs0: ERROR ***** ABORTING region server rs0: no *****"),
        new Bed(scratch).aborts());
  }

  private void log(String process, String... lines) throws IOException {
    Path directory = Files.createDirectories(scratch.resolve(process));
    Files.writeString(directory.resolve("java.args"), "");
    Files.write(directory.resolve("log"), List.of(lines));
  }

  /** It counts fail-overs by what a RegionServer logs. */
  @ParameterizedTest
  @CsvSource({"FailOver, " + StallBench.LEFT, "FailOver, " + StallBench.BACK})
  void whatTheStallBenchLooksForIsLogged(String type, String text) throws IOException {
    Path failover = Line.base().resolve("src/main/java/io/github/hybridhbase/wal/failover");
    String source = Files.readString(failover.resolve(type + ".java"));
    assertTrue(source.replaceAll("\"\\s*\\+\\s*\"", "").contains(text), text);
  }
}
