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
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
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

  private ResultFile(Path file, ObjectNode root, String plan, FileChannel lock) {
    this.file = file;
    this.root = root;
    this.plan = plan;
    this.lock = lock;
  }

  /**
   * Goes on with a plan in a file, or begins it.
   *
   * @param plan its name: profile and devices
   * @param settings what must be alike for all its cells
   * @throws IllegalArgumentException where the plan was begun with other settings, or somebody else
   *     has the file open
   */
  static ResultFile open(Path file, String plan, ObjectNode settings) throws IOException {
    FileChannel lock = lock(file);
    try {
      return open(file, plan, settings, lock);
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /** Its lock is a file beside it, as each write replaces the file itself. */
  private static FileChannel lock(Path file) throws IOException {
    FileChannel lock =
        FileChannel.open(
            file.resolveSibling(file.getFileName() + ".lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE);
    FileLock held = null;
    try {
      held = lock.tryLock();
    } catch (OverlappingFileLockException e) {
      // It is this JVM that has it.
    } finally {
      if (held == null) {
        lock.close();
      }
    }
    if (held == null) {
      throw new IllegalArgumentException(
          "another run writes " + file + ": await its end, or give another --out");
    }
    return lock;
  }

  private static ResultFile open(Path file, String plan, ObjectNode settings, FileChannel lock)
      throws IOException {
    ObjectNode root = Files.exists(file) ? read(file) : JSON.createObjectNode();
    if (root.isEmpty()) {
      root.putObject("plans");
      root.putArray("cells");
    }
    ResultFile found = new ResultFile(file, root, plan, lock);
    if (!root.path("plans").has(plan)) {
      ObjectNode begun = ((ObjectNode) root.get("plans")).putObject(plan);
      begun.set("settings", settings);
      begun.putObject("loads");
      return found;
    }
    // As it reads back: a number in a file has no Java type.
    JsonNode wanted = JSON.readTree(JSON.writeValueAsString(settings));
    if (!found.settings().equals(wanted)) {
      throw new IllegalArgumentException(
          file
              + " has '"
              + plan
              + "' with other settings; give another --out\n  there: "
              + found.settings().toString()
              + "\n  now:   "
              + wanted);
    }
    return found;
  }

  private static ObjectNode read(Path file) throws IOException {
    JsonNode root = JSON.readTree(Files.readString(file));
    if (!root.path("cells").isArray() || !root.path("plans").isObject()) {
      throw new IllegalArgumentException(file + " is no result of bench/run");
    }
    return (ObjectNode) root;
  }

  JsonNode settings() {
    return root.path("plans").path(plan).path("settings");
  }

  /** Those of the plan. */
  List<JsonNode> cells() {
    List<JsonNode> cells = new ArrayList<>();
    for (JsonNode cell : root.path("cells")) {
      if (cell.path("plan").asText().equals(plan)) {
        cells.add(cell);
      }
    }
    return cells;
  }

  /** Ids of the plan's cells that were measured. */
  Set<String> done() {
    Set<String> ids = new LinkedHashSet<>();
    for (JsonNode cell : cells()) {
      ids.add(cell.path("id").asText());
    }
    return ids;
  }

  /** Adds what a cell came to, in place of one of the same id, and writes the file. */
  void add(ObjectNode cell) throws IOException {
    cell.put("plan", plan);
    ArrayNode cells = (ArrayNode) root.get("cells");
    for (int i = 0; i < cells.size(); i++) {
      JsonNode there = cells.get(i);
      if (there.path("plan").equals(cell.path("plan"))
          && there.path("id").equals(cell.path("id"))) {
        cells.remove(i);
        break;
      }
    }
    cells.add(cell);
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
