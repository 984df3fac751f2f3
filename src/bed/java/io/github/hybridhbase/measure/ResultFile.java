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
package io.github.hybridhbase.measure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What was measured, as one JSON file: {@code plans} with their {@code settings} and {@code loads},
 * and {@code cells}, each of one plan. So the answers to all questions are in one file, and what
 * was measured otherwise is never compared. It is whole at any time, so that a run that was ended
 * goes on where it was. While it is open it is nobody else's, of whom one would write over what the
 * other has added. For one thread.
 */
@InterfaceAudience.Private
final class ResultFile implements AutoCloseable {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final Path file;
  private final ObjectNode root;
  private final String plan;
  private final FileChannel lock;

  /**
   * Goes on with a plan in a file, or begins it.
   *
   * @param plan its name: profile and devices
   * @param settings what must be alike for all its cells
   * @throws IllegalArgumentException where the plan was begun with other settings, or somebody else
   *     has the file open
   */
  ResultFile(Path file, String plan, ObjectNode settings) throws IOException {
    this.file = file;
    this.plan = plan;
    // Beside it, as each write replaces the file itself.
    Path beside = file.resolveSibling(file.getFileName() + ".lock");
    lock = FileChannel.open(beside, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (lock.tryLock() == null) {
      throw new IllegalArgumentException(
          "another run writes " + file + ": await its end, or give another --out");
    }
    root = Files.exists(file) ? read(file) : JSON.createObjectNode();
    ObjectNode begun = root.with("plans").with(plan);
    root.withArray("cells");
    if (begun.isEmpty()) {
      begun.set("settings", settings);
      begun.putObject("loads");
    }
    // As it reads back: a number in a file has no Java type.
    JsonNode wanted = JSON.readTree(JSON.writeValueAsString(settings));
    JsonNode there = JSON.readTree(JSON.writeValueAsString(begun.get("settings")));
    if (!there.equals(wanted)) {
      throw new IllegalArgumentException(
          String.format(
              "%s has '%s' with other settings; give another --out%n  there: %s%n  now:   %s",
              file, plan, there, wanted));
    }
  }

  private static ObjectNode read(Path file) throws IOException {
    JsonNode root = JSON.readTree(Files.readString(file));
    if (!root.path("cells").isArray() || !root.path("plans").isObject()) {
      throw new IllegalArgumentException(file + " is no result of bench/run");
    }
    return (ObjectNode) root;
  }

  /** Ids of the plan's cells that were measured. */
  Set<String> done() {
    Set<String> ids = new LinkedHashSet<>();
    for (JsonNode cell : root.path("cells")) {
      if (cell.path("plan").asText().equals(plan)) {
        ids.add(cell.path("id").asText());
      }
    }
    return ids;
  }

  /** Adds what a cell came to, in place of one of the same id, and writes the file. */
  void add(ObjectNode cell) throws IOException {
    cell.put("plan", plan);
    for (Iterator<JsonNode> there = root.get("cells").elements(); there.hasNext(); ) {
      JsonNode one = there.next();
      if (one.path("plan").equals(cell.path("plan")) && one.path("id").equals(cell.path("id"))) {
        there.remove();
      }
    }
    ((ArrayNode) root.get("cells")).add(cell);
    write();
  }

  /** Notes what a load of a state came to, and writes the file. */
  void load(String state, ObjectNode load) throws IOException {
    ((ObjectNode) root.path("plans").path(plan).path("loads")).set(state, load);
    write();
  }

  private void write() throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(temporary, JSON.writeValueAsString(root) + "\n");
    Files.move(
        temporary, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Lets go of the file. */
  @Override
  public void close() throws IOException {
    lock.close();
  }
}
