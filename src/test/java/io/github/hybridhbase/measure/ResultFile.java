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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What was measured, as one JSON file: {@code settings}, {@code loads} and {@code cells}. It is
 * whole at any time, so that a run that was ended goes on where it was. For one thread.
 */
@InterfaceAudience.Private
final class ResultFile {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final Path file;
  private final ObjectNode root;

  private ResultFile(Path file, ObjectNode root) {
    this.file = file;
    this.root = root;
  }

  /**
   * Goes on with a file, or begins it.
   *
   * @param settings what must be alike for all cells of a file
   * @throws IllegalArgumentException where the file was begun with other settings
   */
  static ResultFile open(Path file, ObjectNode settings) throws IOException {
    if (Files.notExists(file)) {
      ObjectNode root = JSON.createObjectNode();
      root.set("settings", settings);
      root.putObject("loads");
      root.putArray("cells");
      return new ResultFile(file, root);
    }
    ResultFile found = read(file);
    // As it reads back: a number in a file has no Java type.
    JsonNode wanted = JSON.readTree(JSON.writeValueAsString(settings));
    if (!found.settings().equals(wanted)) {
      throw new IllegalArgumentException(
          file
              + " was begun with other settings; give another --out\n  there: "
              + found.settings().toString()
              + "\n  now:   "
              + wanted);
    }
    return found;
  }

  /** A file that exists. */
  static ResultFile read(Path file) throws IOException {
    JsonNode root = JSON.readTree(Files.readString(file));
    if (!root.path("cells").isArray() || !root.path("settings").isObject()) {
      throw new IllegalArgumentException(file + " is no result of bench/run");
    }
    return new ResultFile(file, (ObjectNode) root);
  }

  JsonNode settings() {
    return root.path("settings");
  }

  List<JsonNode> cells() {
    List<JsonNode> cells = new ArrayList<>();
    root.path("cells").forEach(cells::add);
    return cells;
  }

  /** Ids of the cells that were measured. */
  Set<String> done() {
    Set<String> ids = new LinkedHashSet<>();
    for (JsonNode cell : cells()) {
      ids.add(cell.path("id").asText());
    }
    return ids;
  }

  /** Adds what a cell came to, and writes the file. */
  void add(ObjectNode cell) throws IOException {
    ((ArrayNode) root.get("cells")).add(cell);
    write();
  }

  /** Notes what a load of a state came to, and writes the file. */
  void load(String state, ObjectNode load) throws IOException {
    ((ObjectNode) root.get("loads")).set(state, load);
    write();
  }

  private void write() throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(temporary, JSON.writeValueAsString(root) + "\n");
    Files.move(
        temporary, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }
}
