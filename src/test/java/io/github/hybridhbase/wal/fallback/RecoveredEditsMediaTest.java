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
package io.github.hybridhbase.wal.fallback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.runtime.Clock;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When recovered edits go to SSD. */
@InterfaceAudience.Private
class RecoveredEditsMediaTest {
  private long seconds;
  private boolean offSsd;
  private StoragePolicy ofWals = StoragePolicy.ALL_SSD;
  private int reads;

  private final RecoveredEditsMedia media =
      new RecoveredEditsMedia(
          () -> offSsd,
          new Clock() {
            @Override
            public long nanos() {
              return TimeUnit.SECONDS.toNanos(seconds);
            }

            @Override
            public void sleep(long nanos) {
              throw new AssertionError("no reason to sleep");
            }
          });

  private boolean isSsd() throws IOException {
    return media.isSsd(
        () -> {
          reads++;
          return ofWals;
        });
  }

  @ParameterizedTest
  @CsvSource({"ONE_SSD", "HOT", "NONE"})
  void underAnotherPolicyThanAllSsdDirectoriesDecide(StoragePolicy policy) throws IOException {
    ofWals = policy;
    assertFalse(isSsd());
  }

  @Test
  void thePolicyOfWalsIsReadAgainAfterTenSeconds() throws IOException {
    isSsd();
    ofWals = StoragePolicy.HOT;
    seconds = 9;
    assertTrue(isSsd());
    assertEquals(1, reads);
    seconds = 10;
    assertFalse(isSsd());
    assertEquals(2, reads);
  }

  @Test
  void aPolicyThatCannotBeReadIsNotKnown() throws IOException {
    assertThrows(
        IOException.class,
        () ->
            media.isSsd(
                () -> {
                  throw new IOException("no NameNode");
                }));
    assertTrue(isSsd());
  }

  @Test
  void editsLeaveSsdForTenMinutesAfterItFailed() throws IOException {
    media.failed();
    assertFalse(isSsd());
    seconds = 599;
    assertFalse(isSsd());
    seconds = 600;
    assertTrue(isSsd());
  }

  @Test
  void editsLeaveSsdWhileItRefusesWals() throws IOException {
    offSsd = true;
    assertFalse(isSsd());
    offSsd = false;
    assertTrue(isSsd());
  }

  @Test
  void aBlockProvesSsdForTenSeconds() {
    assertFalse(media.isProven());
    media.taken();
    assertTrue(media.isProven());
    seconds = 10;
    assertFalse(media.isProven());
    media.taken();
    media.failed();
    assertFalse(media.isProven());
  }
}
