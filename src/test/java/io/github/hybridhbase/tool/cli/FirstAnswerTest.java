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
package io.github.hybridhbase.tool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.tool.cli.Session.FirstAnswer;
import io.github.hybridhbase.tool.cli.Session.UnreachableException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FirstAnswerTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream err = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  private <T> T await(Callable<T> question) throws IOException {
    return FirstAnswer.await(question, "hbase.rootdir=hdfs://nn/hbase", err, new Stop(), 4);
  }

  @Test
  void answer_isReturned_silently() throws IOException {
    assertEquals("a", await(() -> "a"));
    assertEquals(0, bytes.size());
  }

  @Test
  void hangingNameNode_isReported_andUnreachableAfterTheBound() {
    CountDownLatch never = new CountDownLatch(1);
    UnreachableException e =
        assertThrows(UnreachableException.class, () -> await(() -> never.await(1, TimeUnit.HOURS)));
    assertTrue(e.getMessage().contains("hbase.rootdir=hdfs://nn/hbase"), e::getMessage);
    assertTrue(bytes.toString(StandardCharsets.UTF_8).startsWith("Waiting for an answer"));
  }

  @Test
  void failure_isThrownAsItIs() {
    IOException failure = new IOException("f");
    Callable<String> fails =
        () -> {
          throw failure;
        };
    assertEquals(failure, assertThrows(IOException.class, () -> await(fails)));
  }
}
