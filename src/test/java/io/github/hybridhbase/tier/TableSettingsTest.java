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
package io.github.hybridhbase.tier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.testing.HostileText;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a table may set, and what becomes of what it may not. */
@InterfaceAudience.Private
class TableSettingsTest {
  private static final String POLICY = "hbase.hybrid.tier.policy";
  private static final String AGE = "hbase.hybrid.tier.max.age";
  private static final String DELAY = "hbase.hybrid.tier.write.delay";

  private final Configuration site = new Configuration(false);

  private static TableDescriptor table(String key, String value, String... family) {
    ColumnFamilyDescriptorBuilder one =
        ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f"));
    for (int i = 0; i < family.length; i += 2) {
      one.setConfiguration(family[i], family[i + 1]);
    }
    TableDescriptorBuilder of = TableDescriptorBuilder.newBuilder(TableName.valueOf("t"));
    if (!key.isEmpty()) {
      of.setValue(key, value);
    }
    return of.setColumnFamily(one.build()).build();
  }

  private TableSettings family(TableDescriptor table) {
    return TableSettings.of(HybridSettings.read(site), table, table.getColumnFamilies()[0]);
  }

  private List<String> problems(TableDescriptor table) {
    return TableSettings.problems(HybridSettings.read(site), table);
  }

  @Test
  void aTableMayHaveLessThanTheSite() {
    assertEquals(List.of(), problems(table("", "")));
    assertEquals(StoragePolicy.ONE_SSD, family(table(POLICY, " one_ssd ")).policy());
    assertEquals(StoragePolicy.NONE, family(table(POLICY, "NONE")).policy());
    assertEquals(60, family(table(AGE, "60s")).maxAgeSeconds());
    TableDescriptor delay = table(DELAY, "0");
    assertEquals(0, TableSettings.of(HybridSettings.read(site), delay).writeDelayMillis());
    Map.of(POLICY, "NONE", AGE, "60s", DELAY, "0")
        .forEach((key, value) -> assertEquals(List.of(), problems(table(key, value))));
  }

  @Test
  void aFamilysValueWinsOverItsTables() {
    TableSettings of = family(table(POLICY, "NONE", POLICY, "ALL_SSD", AGE, "9s"));
    assertEquals(StoragePolicy.ALL_SSD, of.policy());
    assertEquals(9, of.maxAgeSeconds());
    assertEquals(StoragePolicy.NONE, family(table(POLICY, "NONE", AGE, "9s")).policy());
  }

  private void assertNotInForce(String wanted, StoragePolicy inForce) {
    TableDescriptor table = table(POLICY, wanted);
    assertEquals(inForce, family(table).policy());
    assertEquals(
        List.of(
            POLICY
                + "="
                + wanted
                + " is not in force; allowed: ALL_SSD, ONE_SSD, NONE, up to the site file's "
                + site.get(POLICY, "ALL_SSD")
                + "."),
        problems(table));
  }

  @Test
  void aPolicyThatIsNotUnderstoodKeepsTheStoreOffSsd() {
    assertNotInForce("NON", StoragePolicy.NONE);
  }

  /** Each with one problem, and as if it were not there. */
  @ParameterizedTest
  @CsvSource({
    AGE + ",600,up to the site file's",
    AGE + ",0s,up to the site file's",
    AGE + ",-1s,up to the site file's",
    AGE + ",99999999999999,up to the site file's",
    AGE + ",2h,up to the site file's",
    DELAY + ",1 x,up to the site file's",
    DELAY + ",11s,up to the site file's",
    DELAY + ",2s,up to the site file's",
    "hbase.hybrid.tier.polcy,NONE,is ignored",
    "hbase.hybrid.mode,off,is no setting of a table",
    "hbase.hybrid.tier.budget,90%,is no setting of a table",
  })
  void whatIsWrongIsSaidOnceAndHasNoEffect(String key, String value, String why) {
    TableDescriptor table = table(key, value);
    List<String> problems = problems(table);
    assertEquals(1, problems.size(), problems::toString);
    assertTrue(problems.get(0).startsWith(key + "=" + value + " is "), problems.get(0));
    assertTrue(problems.get(0).contains(why), problems.get(0));
    TableSettings of = TableSettings.of(HybridSettings.read(site), table);
    assertEquals(StoragePolicy.ALL_SSD, of.policy());
    assertEquals(3_600, of.maxAgeSeconds());
    assertEquals(1_000, of.writeDelayMillis());
  }

  @Test
  void aTableTakesNoMoreReplicasOfSsdThanTheSite() {
    site.set(POLICY, "ONE_SSD");
    assertNotInForce("ALL_SSD", StoragePolicy.ONE_SSD);
    site.set(POLICY, "NONE");
    assertEquals(StoragePolicy.NONE, family(table(POLICY, "ALL_SSD")).policy());
    assertEquals(StoragePolicy.NONE, family(table(POLICY, "ONE_SSD")).policy());
  }

  @Test
  void aFamilyHasNoWriteDelayOfItsOwn() {
    List<String> problems = problems(table("", "", DELAY, "10ms"));
    assertEquals(1, problems.size(), problems::toString);
    assertTrue(
        problems.get(0).startsWith("In family f " + DELAY + "=10ms is ignored: it is no setting"));
  }

  @Test
  void othersPropertiesAreNobodysProblem() {
    assertEquals(List.of(), problems(table("hbase.hregion.majorcompaction", "0")));
    assertEquals(List.of(), problems(table("dfs.replication", "abc", "COMPRESSION", "x")));
  }

  @Test
  void whateverATableHasIsReadAndFillsNoLog() {
    HostileText text = new HostileText(getClass().getSimpleName());
    for (int i = 0; i < 2_000; i++) {
      String key = text.next(POLICY, AGE, DELAY, "hbase.hybrid.mode", "hbase.hybrid.x");
      TableDescriptor table =
          table(key.isEmpty() ? "x" : key, text.next("ALL_SSD", "600s", "NONE") + ".");
      assertNotNull(family(table).policy());
      assertTrue(family(table).maxAgeSeconds() >= 1);
      for (String problem : problems(table)) {
        assertTrue(problem.length() < 500, problem);
        assertTrue(problem.chars().noneMatch(Character::isISOControl), problem);
      }
    }
  }
}
