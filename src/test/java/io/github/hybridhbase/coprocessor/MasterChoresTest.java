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
package io.github.hybridhbase.coprocessor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.coprocessor.HybridMasterObserver.MasterChores;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@InterfaceAudience.Private
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class MasterChoresTest {
  private final AtomicBoolean aborted = new AtomicBoolean();
  private final MasterChores chores = new MasterChores(aborted::get);
  private final List<String> done = new CopyOnWriteArrayList<>();
  private final CountDownLatch began = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);

  private void work() throws InterruptedException {
    began.countDown();
    mayEnd.await();
    done.add("work");
  }

  private void last() {
    done.add("last");
    ended.countDown();
  }

  @Test
  void whatIsDoneAtTheEndComesAfterTheWorkThatWasUnderWay() throws Exception {
    chores.every("chores-test", 0, 3_600, this::work, this::last);
    began.await();
    chores.stop();
    chores.stop();
    assertTrue(chores.isStopped(), "long work sees it");
    assertEquals(List.of(), done);
    mayEnd.countDown();
    ended.await();
    assertEquals(List.of("work", "last"), done);
  }

  @Test
  void aMasterThatAbortedEndsThemAtTheNextTurn() throws Exception {
    aborted.set(true);
    chores.every("chores-test", 0, 3_600, this::work, this::last);
    chores.stop();
    ended.await();
    assertEquals(List.of("last"), done);
  }
}
