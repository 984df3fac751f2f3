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
package io.github.hybridhbase.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompoundConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HybridSettingsTest {
  private static HybridSettings read(String... keysAndValues) {
    Configuration conf = new Configuration(false);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    return HybridSettings.read(conf);
  }

  @Test
  void nothingSetGivesTheDocumentedDefaultsAndNoProblem() {
    HybridSettings settings = read();
    assertEquals(List.of(), settings.problems());
    assertEquals(List.of(), settings.warnings());
    assertEquals(Mode.PREFER, settings.mode());
    assertEquals(StoragePolicy.ALL_SSD, settings.policy(Component.WAL));
    assertEquals(StoragePolicy.ALL_SSD, settings.policy(Component.MASTER));
    assertEquals(StoragePolicy.ALL_SSD, settings.policy(Component.META));
    assertEquals(StoragePolicy.NONE, settings.policy(Component.ARCHIVE));
    assertEquals(StoragePolicy.NONE, settings.policy(Component.USER));
  }

  @Test
  void everyDefaultOfTheKeyListIsAllowedAndIsWhatIsInForce() {
    Configuration conf = new Configuration(false);
    HybridKeys.all().forEach(key -> conf.set(key.name(), key.defaultValue()));
    HybridSettings spelledOut = HybridSettings.read(conf);
    HybridSettings silent = read();
    assertEquals(List.of(), spelledOut.problems());
    assertEquals(silent.declared(), spelledOut.declared());
    for (Key<?> key : HybridKeys.all()) {
      assertEquals(key.inForce(new Configuration(false)), key.inForce(conf), key.name());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "hbase.hybrid.wal.policy, ALL_SDS, 'ALL_SSD, ONE_SSD, HOT, NONE'",
    "hbase.hybrid.wal.delegate, disruptor, 'asyncfs, filesystem, multiwal'",
    "hbase.hybrid.scan.period, -1, from 1s to 7d",
    "hbase.hybrid.scan.period, 300, a number with a unit",
    "hbase.hybrid.scan.period, 99999999999s, from 1s to 7d",
  })
  void aBadValueIsOneErrorThatNamesKeyValueAndWhatIsAllowed(
      String key, String value, String allowed) {
    List<String> problems = read(key, value).problems();
    assertEquals(1, problems.size(), problems.toString());
    assertTrue(problems.get(0).contains(key + "=" + value), problems.get(0));
    assertTrue(problems.get(0).contains(allowed), problems.get(0));
  }

  /** Whoever misspells off must not have data placed. */
  @Test
  void aBadModeIsOff() {
    HybridSettings settings = read("hbase.hybrid.mode", "of");
    assertEquals(Mode.OFF, settings.mode());
    assertTrue(settings.summary().orElseThrow().contains("hbase.hybrid.mode=off"));
    assertEquals(
        List.of(
            "hbase.hybrid.mode=of is not understood; allowed: prefer, require, off. Correct or"
                + " remove it; off is in force."),
        settings.problems());
  }

  @Test
  void theTierIsOnSsdOrOff() {
    HybridSettings settings = read("hbase.hybrid.tier.policy", "HOT");
    assertEquals(StoragePolicy.ALL_SSD, settings.policy(Component.TIER));
    assertEquals(1, settings.problems().size());
    assertEquals(
        StoragePolicy.NONE, read("hbase.hybrid.tier.policy", "none").policy(Component.TIER));
  }

  @ParameterizedTest
  @CsvSource({"20%,200", "90%,900", "100,100", "1k,900", "' 5 % ',50"})
  void theTiersBudgetIsAShareOrBytes(String value, long bytes) {
    HybridSettings settings = read(HybridKeys.TIER_BUDGET.name(), value);
    assertEquals(List.of(), settings.problems());
    assertEquals(bytes, settings.get(HybridKeys.TIER_BUDGET).of(1_000));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0%", "91%", "0", "-1", "much", "9999999999999999", "999999999999999t"})
  void aBudgetThatIsNoneIsAProblem(String value) {
    HybridSettings settings = read(HybridKeys.TIER_BUDGET.name(), value);
    assertEquals(1, settings.problems().size(), settings.problems()::toString);
    assertEquals(200, settings.get(HybridKeys.TIER_BUDGET).of(1_000));
  }

  @Test
  void oneSsdIsAllowedWithOneWarningThatSaysWhatItDoesNotBuy() {
    HybridSettings settings =
        read("hbase.hybrid.wal.policy", "ONE_SSD", "hbase.hybrid.meta.policy", "ONE_SSD");
    assertEquals(List.of(), settings.problems());
    assertEquals(1, settings.warnings().size());
    String warning = settings.warnings().get(0);
    assertTrue(warning.contains("hbase.hybrid.wal.policy, hbase.hybrid.meta.policy"), warning);
    assertTrue(warning.contains("waits for every replica"), warning);
    assertTrue(warning.contains("single replica"), warning);
  }

  @Test
  void theWrapperThatCoprocessorsGetIsReadInFull() {
    Configuration inner = new Configuration(false);
    inner.set(HybridKeys.MODE.name(), "require");
    assertEquals(Mode.REQUIRE, HybridSettings.read(new CompoundConfiguration().add(inner)).mode());
  }

  @Test
  void variablesInValuesAreResolved() {
    assertEquals(
        StoragePolicy.ONE_SSD,
        read("my.policy", "ONE_SSD", "hbase.hybrid.wal.policy", "${my.policy}")
            .policy(Component.WAL));
  }
}
