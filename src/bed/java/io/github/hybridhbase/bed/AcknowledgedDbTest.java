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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.Vector;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** YCSB's rows in front of a store that fails, forgets and errs. */
@InterfaceAudience.Private
class AcknowledgedDbTest {
  private static final int ROWS = 50;

  /** A store in memory. */
  private static final class Store extends DB {
    private final Map<String, Map<String, byte[]>> rows = new TreeMap<>();
    private int failures;

    private boolean interrupts;

    private boolean fails() {
      boolean fails = failures > 0 && failures-- > 0;
      if (fails && interrupts) {
        Thread.currentThread().interrupt();
      }
      return fails;
    }

    @Override
    public Status read(
        String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
      if (fails()) {
        return Status.ERROR;
      }
      Map<String, byte[]> row = rows.get(key);
      if (row == null) {
        return Status.NOT_FOUND;
      }
      row.forEach((field, value) -> result.put(field, new ByteArrayByteIterator(value)));
      return Status.OK;
    }

    @Override
    public Status scan(
        String table,
        String key,
        int count,
        Set<String> fields,
        @SuppressWarnings("JdkObsolete") Vector<HashMap<String, ByteIterator>> result) {
      return Status.NOT_IMPLEMENTED;
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
      return insert(table, key, values);
    }

    /** Where it fails it has taken the values all the same, as a client does that times out. */
    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
      Map<String, byte[]> taken = new HashMap<>();
      values.forEach((field, value) -> taken.put(field, value.toArray()));
      if (fails()) {
        return Status.ERROR;
      }
      rows.computeIfAbsent(key, any -> new HashMap<>()).putAll(taken);
      return Status.OK;
    }

    @Override
    public Status delete(String table, String key) {
      return Status.NOT_IMPLEMENTED;
    }
  }

  private final Store store = new Store();
  private final AtomicLong missing = new AtomicLong();
  private final AtomicLong unanswered = new AtomicLong();
  private final AtomicBoolean ended = new AtomicBoolean();
  private final DB db = new AcknowledgedDb(store, missing, unanswered, ended::get);

  private static CheckedWorkload workload() throws Exception {
    Properties properties = new Properties();
    properties.setProperty("recordcount", Integer.toString(ROWS));
    properties.setProperty("readproportion", "0.7");
    properties.setProperty("updateproportion", "0");
    properties.setProperty("insertproportion", "0.3");
    properties.setProperty("requestdistribution", "latest");
    return CheckedWorkload.of(properties);
  }

  private CheckedWorkload loaded() throws Exception {
    CheckedWorkload workload = workload();
    for (int row = 0; row < ROWS; row++) {
      workload.doInsert(db, null);
    }
    return workload;
  }

  @Test
  void whatWasAcknowledgedIsReadAndRight() throws Exception {
    CheckedWorkload workload = loaded();
    long right = workload.right();
    long wrong = workload.wrong();
    for (int i = 0; i < 1_000; i++) {
      store.failures = i % 10 == 0 ? 2 : 0;
      workload.doTransaction(db, null);
    }
    store.failures = 0;
    assertEquals(store.rows.size(), workload.readAll(db));
    assertEquals(0, missing.get());
    assertEquals(wrong, workload.wrong());
    assertTrue(workload.right() - right > store.rows.size());
    assertTrue(unanswered.get() >= 100);
  }

  @Test
  void aRowThatIsGoneIsMissing() throws Exception {
    CheckedWorkload workload = loaded();
    store.rows.remove(store.rows.keySet().iterator().next());
    workload.readAll(db);
    assertEquals(1, missing.get());
  }

  @Test
  void aValueThatIsAnotherRowsIsWrong() throws Exception {
    CheckedWorkload workload = loaded();
    long wrong = workload.wrong();
    store.rows.values().iterator().next().put("field3", new byte[100]);
    workload.readAll(db);
    assertEquals(wrong + 1, workload.wrong());
    assertEquals(0, missing.get());
  }

  @Test
  void aRowThatLacksAFieldIsWrong() throws Exception {
    CheckedWorkload workload = loaded();
    long wrong = workload.wrong();
    store.rows.values().iterator().next().remove("field3");
    workload.readAll(db);
    assertEquals(wrong + 1, workload.wrong());
    assertEquals(0, missing.get());
  }

  @Test
  void aServerThatWasInterruptedDoesNotInterruptTheClient() throws Exception {
    CheckedWorkload workload = loaded();
    store.interrupts = true;
    for (int i = 0; i < 100; i++) {
      store.failures = 3;
      workload.doTransaction(db, null);
      assertFalse(Thread.interrupted());
    }
    store.failures = 0;
    assertEquals(store.rows.size(), workload.readAll(db));
    assertEquals(0, missing.get());
  }

  @Test
  void anInsertThatIsNotAcknowledgedEndsWithIt() throws Exception {
    store.failures = 1;
    ended.set(true);
    assertFalse(db.insert("t", "k", new HashMap<>()).isOk());
  }

  @Test
  void aLastReadIsTriedAgain() throws Exception {
    CheckedWorkload workload = loaded();
    store.failures = 2;
    long right = workload.right();
    assertEquals(ROWS, workload.readAll(db));
    assertEquals(right + ROWS, workload.right());
    assertEquals(2, unanswered.get());
  }

  @Test
  void aLastReadWithoutAnAnswerProvesNothing() throws Exception {
    CheckedWorkload workload = loaded();
    store.failures = 1_000;
    assertThrows(IOException.class, () -> workload.readAll(db));
  }
}
