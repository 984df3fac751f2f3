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
import java.util.HashMap;
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
 * One edit, appended and acknowledged, through HBase's whole append path on an HDFS of three
 * DataNodes in the same JVM. Every fsync on DISK takes 10 ms more and on SSD 0.5 ms more, so that
 * the media differ as media do; {@code -p diskMicros=0 -p ssdMicros=0} takes that away.
 *
 * <p>Stock and hybrid are parameters of one benchmark: no figure of ours without stock's beside it.
 * What is no default is given by hand: {@code -p policy=ONE_SSD}, {@code -p
 * rival=MULTIWAL,HYBRID_MULTIWAL}, {@code -p bytes=100,10240}, {@code -p
 * form=COMPRESSED,ENCRYPTED}, {@code -p stall=0,200}.
 */
@InterfaceAudience.Private
@BenchmarkMode({Mode.Throughput, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 5)
@Measurement(iterations = 5, time = 10)
@Fork(
    value = 1,
    jvmArgsAppend = {
      "-Xmx4g",
      "--add-opens=java.base/java.lang=ALL-UNNAMED",
      "--add-opens=java.base/java.nio=ALL-UNNAMED",
      "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
      "--add-opens=java.base/jdk.internal.ref=ALL-UNNAMED",
      "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"
    })
public class WalAppendBenchmark {
  /** The cluster and the log. */
  @State(Scope.Benchmark)
  public static class Log {
    @Param({"ASYNCFS", "HYBRID_ASYNCFS", "FILESYSTEM", "HYBRID_FILESYSTEM"})
    Rival rival;

    @Param({"hflush", "hsync"})
    String sync;

    @Param({"HOT", "ALL_SSD"})
    String policy;

    @Param({"1024"})
    int bytes;

    @Param({"PLAIN"})
    WalForm form;

    @Param({"10000"})
    long diskMicros;

    @Param({"500"})
    long ssdMicros;

    @Param({"3"})
    int dataNodes;

    /** {@code hbase.hybrid.wal.stall}, or what the plugin does by default. */
    @Param({"default"})
    String stall;

    private Path dir;
    private TypedHdfs hdfs;
    private WalUnderTest wal;

    /** Starts HDFS and opens the log. */
    @Setup(Level.Trial)
    public void open() throws IOException {
      dir = Files.createTempDirectory("hybrid-jmh");
      hdfs = HdfsUnderTest.start(dir, List.of(), dataNodes, Map.of());
      SlowFsync.of(hdfs.cluster(), ssdMicros, diskMicros);
      wal =
          new WalUnderTest(
              hdfs.fs(), hdfs.directory("hbase", policy), rival, sync.equals("hsync"), settings());
    }

    private Map<String, String> settings() {
      Map<String, String> settings = new HashMap<>(form.settings());
      if (!stall.equals("default")) {
        settings.put("hbase.hybrid.wal.stall", stall + "ms");
      }
      return settings;
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
    public void open(Log log) throws IOException {
      writer = log.wal.writer(log.bytes);
    }
  }

  /** One handler. */
  @Benchmark
  @Threads(1)
  public long writers1(Handler handler) throws IOException {
    return handler.writer.append();
  }

  /** Ten handlers. */
  @Benchmark
  @Threads(10)
  public long writers10(Handler handler) throws IOException {
    return handler.writer.append();
  }

  /** A hundred handlers. */
  @Benchmark
  @Threads(100)
  public long writers100(Handler handler) throws IOException {
    return handler.writer.append();
  }
}
