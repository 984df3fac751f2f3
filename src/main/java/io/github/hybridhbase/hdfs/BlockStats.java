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
package io.github.hybridhbase.hdfs;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A parser of the NameNode's JMX bean {@code Hadoop:service=NameNode,name=BlockStats}, which adds
 * up each storage type over the DataNodes in service. Pure.
 */
@InterfaceAudience.Private
final class BlockStats {
  static final String QUERY = "/jmx?qry=Hadoop:service=NameNode,name=BlockStats";

  private BlockStats() {}

  static String query(String bean, String attribute) {
    return "/jmx?get=Hadoop:service=NameNode,name=" + bean + "::" + attribute;
  }

  /** Empty if it is missing. */
  static Optional<String> attribute(String json, String attribute) {
    return first(json, attribute).flatMap(BlockStats::text);
  }

  private static Optional<String> text(JsonElement value) {
    return value.isJsonPrimitive() ? Optional.of(value.getAsString()) : Optional.empty();
  }

  /** Empty if the answer is invalid. An HDFS without SSD has capacity 0. */
  static Optional<SsdSpace> parse(String json) {
    return first(json, "StorageTypeStats").flatMap(BlockStats::space);
  }

  private static Optional<SsdSpace> space(JsonElement stats) {
    return tolerant(() -> Optional.of(ssd(stats.getAsJsonArray())));
  }

  private static Optional<JsonElement> first(String json, String attribute) {
    return tolerant(
        () -> {
          JsonArray beans = JsonParser.parseString(json).getAsJsonObject().getAsJsonArray("beans");
          if (beans != null) {
            for (JsonElement bean : beans) {
              JsonElement value = bean.getAsJsonObject().get(attribute);
              if (value != null) {
                return Optional.of(value);
              }
            }
          }
          return Optional.empty();
        });
  }

  private static <T> Optional<T> tolerant(Supplier<Optional<T>> parse) {
    try {
      return parse.get();
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  private static SsdSpace ssd(JsonArray types) {
    SsdSpace ssd = new SsdSpace(0, 0, 0, 0, List.of());
    boolean disk = false;
    for (JsonElement type : types) {
      JsonObject entry = type.getAsJsonObject();
      JsonObject value = entry.getAsJsonObject("value");
      String key = entry.get("key").getAsString();
      if (key.equals("SSD")) {
        ssd =
            new SsdSpace(
                value.get("capacityTotal").getAsLong(),
                value.get("capacityUsed").getAsLong(),
                value.get("capacityRemaining").getAsLong(),
                value.get("nodesInService").getAsInt(),
                List.of());
      }
      disk |= key.equals("DISK") && value.get("capacityTotal").getAsLong() > 0;
    }
    return disk ? ssd : ssd.withoutDisk();
  }
}
