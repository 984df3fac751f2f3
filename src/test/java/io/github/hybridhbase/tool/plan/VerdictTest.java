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
package io.github.hybridhbase.tool.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.tool.plan.Demand.Ask;
import io.github.hybridhbase.tool.plan.Setup.Kind;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** The questions of six buyers, and the formulae that answer them. */
@InterfaceAudience.Private
class VerdictTest {
  private static final double TIB = Demand.TIB;

  /** 100 TiB that is not written, on drives of this size; reads are for a TiB of user data. */
  private static Demand reads(double perTib, double hot, double driveTib) {
    return Demand.of(3)
        .with(Ask.DATA, 100 * TIB, "")
        .with(Ask.WRITE_RATE, 0, "")
        .with(Ask.READS, 100 * perTib, "")
        .with(Ask.HOT, hot, "")
        .with(Ask.DRIVE, driveTib * TIB, "")
        .with(Ask.PRICE_RATIO, 16, "");
  }

  private static Demand writes(double mibASecond) {
    return reads(0, 80, 20).with(Ask.WRITE_RATE, mibASecond * (1 << 20), "");
  }

  private static Demand ratio(Demand demand, double ratio) {
    return demand.with(Ask.PRICE_RATIO, ratio, "");
  }

  private static Kind best(Demand demand) {
    return Verdict.of(demand).best().orElseThrow().kind;
  }

  private static Setup line(Demand demand, Kind kind) {
    return Verdict.of(demand).lines().get(kind.ordinal());
  }

  private static void says(Demand demand, String said) {
    String text = Verdict.of(demand).text();
    assertTrue(text.contains(said), text);
  }

  @Test
  void largeDrivesAndFewReadsNeedNoSsdButSmallBlocks() {
    assertEquals(Kind.HDD_64, best(reads(15, 20, 20)));
    says(reads(15, 20, 20), "All HDD is enough");
    // Three replicas on 80 % of 20 TiB: 18.75 drives, of 150 reads a second: 28 for a TiB.
    Demand few = reads(28, 20, 20);
    assertEquals(18.75, line(few, Kind.HDD_8).hdds(), 1e-9);
    assertEquals(1.45 * 2_800 / 150, line(few, Kind.HDD_64).hdds(), 1e-9);
    assertEquals(Kind.HDD_8, best(few));
    says(few, "Set BLOCKSIZE first, it is free");
    assertEquals(Kind.HDD_8, best(ratio(few, 5)));
  }

  @Test
  void smallDrivesAndSkewedReads() {
    // A TiB of user data has five times the spindles.
    assertEquals(Kind.HDD_64, best(reads(95, 20, 4)));
    assertEquals(Kind.HDD_8, best(reads(140, 20, 4)));
    Demand skewed = reads(400, 20, 4);
    Verdict verdict = Verdict.of(skewed);
    assertEquals(Kind.HOT_ONE, verdict.best().orElseThrow().kind);
    says(skewed, "This plugin, because with 1 % of the bytes on SSD hot rows answer 32 %");
    says(skewed, "Set BLOCKSIZE to 8192 in any case");
    // 1 % of one copy, twice for renewals, and 0.5 % for system data.
    assertEquals(2.5 / 0.7 * TIB, verdict.best().orElseThrow().ssd(), 1);
    double answered = 0.6 * Math.pow(0.01, Math.log(0.8) / Math.log(0.2));
    assertEquals(40_000 * (1 - answered) / 150, verdict.best().orElseThrow().hdds(), 1e-6);
    // All replicas cost three times the SSD for the same reads.
    assertTrue(verdict.cost(line(skewed, Kind.HOT_ALL)) > verdict.cost(line(skewed, Kind.HOT_ONE)));
    assertEquals(Kind.FAMILY, best(reads(1_500, 20, 4)));
  }

  @Test
  void durableWrites() {
    Demand durable = writes(1).with(Ask.DURABLE, 5_000, "");
    assertEquals(Kind.PLUGIN_WALS, best(durable));
    says(durable, "This plugin, because a server of stock HBase made 1,799 durable edits a second");
    assertEquals(Optional.of("44 durable edits/s"), line(durable, Kind.HDD_8).fails());
    Demand some = writes(1).with(Ask.DURABLE, 1_000, "");
    assertEquals(Kind.STOCK_KEY, best(some));
    says(some, "The stock key is enough");
    says(some, "hbase.wal.provider=filesystem");
    Demand most = writes(1).with(Ask.DURABLE, 20_000, "");
    assertEquals(Optional.empty(), Verdict.of(most).best());
    says(most, "Nothing that was measured meets this");
    assertEquals(Optional.empty(), Verdict.of(most).below());
  }

  @Test
  void burstsThatHddCannotFollow() {
    // 18.75 drives follow 4.1 MB/s of replicas each.
    assertEquals(Kind.HDD_64, best(writes(20)));
    assertEquals(Kind.STOCK_KEY, best(writes(60)));
    says(writes(60), "The stock key is enough");
    Demand bursts = writes(20).with(Ask.LONGEST, 5, "");
    assertEquals(Kind.PLUGIN, best(bursts));
    says(bursts, "up to 28 s with stock's key and 7 s on HDD, with the plugin 2 s");
    assertEquals(Optional.of("up to 28 s"), line(bursts, Kind.STOCK_KEY).fails());
    assertEquals(Kind.HDD_64, best(writes(20).with(Ask.LONGEST, 10, "")));
  }

  @Test
  void uniformReads() {
    assertEquals(Kind.HDD_8, best(reads(100, 80, 20)));
    Demand many = reads(300, 80, 20);
    assertEquals(Kind.FAMILY, best(many));
    says(many, "A family at ONE_SSD is cheaper");
    // Ps/0.7 + 2·Ph/0.8 for a TiB.
    Setup family = line(many, Kind.FAMILY);
    assertEquals(100 * (16 / 0.7 + 2 / 0.8), family.cost() / TIB, 1e-6);
    assertEquals(0, line(many, Kind.HOT_ONE).answered(), "rows that are read evenly are not split");
    assertEquals(300.5 / 0.7 * TIB, line(many, Kind.ALL_SSD).ssd(), 1);
    // HDDs are cheaper than SSD from 300/150·20 = 40 HDD-prices for a TiB on.
    Verdict verdict = Verdict.of(many);
    assertEquals((40 / 1.1 - 2.5) * 0.7, verdict.above().orElseThrow().ratio, 1);
    assertEquals("all HDD, 8 KB blocks", verdict.above().orElseThrow().name);
  }

  @Test
  void halfTheDataHot() {
    assertEquals(Kind.HDD_64, best(reads(15, 50, 20)));
    assertEquals(Kind.HDD_8, best(reads(28, 50, 20)));
    // Hot rows cost about the same and are this plugin's: stock is taken.
    Demand many = reads(120, 50, 20);
    assertEquals(Kind.CACHE, best(many));
    Verdict verdict = Verdict.of(many);
    assertEquals(1, line(many, Kind.HOT_ONE).cost() / verdict.best().orElseThrow().cost(), 0.1);
    assertEquals(Kind.FAMILY, best(reads(300, 50, 20)));
    assertEquals(Kind.CACHE, best(ratio(reads(85, 50, 20), 5)));
    says(ratio(reads(85, 50, 20), 5), "A bucket cache on SSD is cheaper");
    assertEquals(Kind.FAMILY, best(ratio(reads(120, 50, 20), 5)));
  }

  @Test
  void allSsdIsForManyReadsAndShortOperations() {
    Demand demand = reads(2_000, 80, 20).with(Ask.WRITE_RATE, 1 << 20, "").with(Ask.LONGEST, 5, "");
    assertEquals(Kind.ALL_SSD, best(demand));
    says(demand, "Buy all SSD");
  }

  @Test
  void ssdLastsFiveYears() {
    for (Setup one : Verdict.of(writes(200)).lines()) {
      assertTrue(one.years() > 4.999, one::name);
    }
    Setup key = line(writes(200), Kind.STOCK_KEY);
    assertEquals(5, key.years(), 1e-9);
    // With the tier each edit is written to SSD three times as often.
    assertEquals(3 * key.ssd(), line(writes(200), Kind.PLUGIN).ssd(), 1e-3 * key.ssd());
    assertEquals(
        "The SSD that HDFS has, 1 TiB, lasts 12 weeks with the plugin's WALs alone, 4 weeks with"
            + " its SSD tier.",
        Verdict.of(writes(60)).lasts(TIB));
    assertTrue(Verdict.of(writes(0)).lasts(TIB).contains("more than 99 years"));
    assertEquals(Double.POSITIVE_INFINITY, line(writes(0), Kind.STOCK_KEY).years());
  }

  @Test
  void theLawOfHeat() {
    assertEquals(1, reads(1, 80, 20).skew(), 1e-12);
    assertEquals(80, Demand.hotPercent(0.1, 0.1), 1e-9);
    double answered = Math.pow(0.1, reads(1, 30, 20).skew());
    assertEquals(30, Demand.hotPercent(0.1, answered), 1e-9);
  }
}
