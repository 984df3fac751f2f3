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
package io.github.hybridhbase.foreign;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/** How many objects of the plugin's a JVM has made; called from what {@link Agent} put in. */
@InterfaceAudience.Private
public final class Made {
  /** What is counted, by its class. */
  enum Kind {
    PROVIDER("io/github/hybridhbase/wal/HybridWALProvider"),
    ASYNC_WRITER("io/github/hybridhbase/wal/HybridAsyncWriter"),
    STREAM_WRITER("io/github/hybridhbase/wal/HybridLogWriter"),
    ENGINE("io/github/hybridhbase/tier/HybridStoreEngine");

    private final String type;

    Kind(String type) {
      this.type = type;
    }

    /** Null for what is not counted. */
    static Kind of(String type) {
      for (Kind kind : values()) {
        if (kind.type.equals(type)) {
          return kind;
        }
      }
      return null;
    }
  }

  private static final Map<Kind, AtomicInteger> COUNTS = new EnumMap<>(Kind.class);
  private static final AtomicInteger VOLUMES = new AtomicInteger();

  static {
    for (Kind kind : Kind.values()) {
      COUNTS.put(kind, new AtomicInteger());
    }
  }

  private Made() {}

  /** One more. Any thread. */
  public static void one(String kind) {
    COUNTS.get(Kind.valueOf(kind)).incrementAndGet();
  }

  static int count(Kind kind) {
    return COUNTS.get(kind).get();
  }

  /** The medium of a mini-cluster's next volume: every DataNode has two, one of each. */
  public static StorageType medium() {
    return VOLUMES.getAndIncrement() % 2 == 0 ? StorageType.SSD : StorageType.DISK;
  }
}
