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
package io.github.hybridhbase.bench;

import io.github.hybridhbase.testing.TypedHdfs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One edit, appended and acknowledged, through HBase's whole append path, with the plugin's metrics
 * of WALs and without, on an HDFS in the same JVM whose fsyncs cost nothing more.
 */
@InterfaceAudience.Private
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 6, time = 3)
@Fork(
    value = 2,
    jvmArgsAppend = {
      "-Xmx4g",
      "--add-opens=java.base/java.lang=ALL-UNNAMED",
      "--add-opens=java.base/java.nio=ALL-UNNAMED",
      "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
      "--add-opens=java.base/jdk.internal.ref=ALL-UNNAMED",
      "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"
    })
public class MeteredAppendBenchmark {
  /** The cluster and the log. */
  @State(Scope.Benchmark)
  public static class Log {
    @Param({"off", "on"})
    String metrics;

    private Path dir;
    private TypedHdfs hdfs;
    private WalUnderTest wal;

    /** Starts HDFS and opens the log. */
    @Setup(Level.Trial)
    public void open() throws IOException {
      dir = Files.createTempDirectory("hybrid-jmh");
      hdfs = HdfsUnderTest.start(dir, List.of(), 3, Map.of());
      wal =
          new WalUnderTest(
              hdfs.fs(), hdfs.directory("hbase", "ALL_SSD"), Rival.HYBRID_ASYNCFS, false, Map.of());
    }

    /** Closes the log and stops HDFS. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
      wal.close();
      hdfs.close();
      Files.deleteIfExists(dir);
    }
  }

  /** A handler of a RegionServer. */
  @State(Scope.Thread)
  public static class Handler {
    private WalUnderTest.Writer writer;

    /** Opens the handler's region. */
    @Setup(Level.Trial)
    public void open(Log log) throws IOException, ReflectiveOperationException {
      writer = log.wal.writer(1_024);
      if (log.metrics.equals("off")) {
        log.wal.takeMetersOff();
      }
    }
  }

  /** Ten handlers. */
  @Benchmark
  @Threads(10)
  public long writers10(Handler handler) throws IOException {
    return handler.writer.append();
  }
}
