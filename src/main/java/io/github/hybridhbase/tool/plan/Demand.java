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

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import org.apache.yetus.audience.InterfaceAudience;

/** The demand on a buyer's cluster. Immutable. */
@InterfaceAudience.Private
public final class Demand {
  /** Sizes are in bytes. */
  @InterfaceAudience.Private
  public enum Ask {
    DATA("data", "user data, one copy", Double.NaN, 0, Demand.MOST_BYTES),
    WRITE_RATE(
        "write-rate", "edits a second of all servers, one copy", Double.NaN, 0, Demand.MOST_BYTES),
    READS("reads", "reads a second of all servers that miss memory", 0, 0, 1e9),
    HOT("hot", "percent of the data that four of five such reads go to; 80 = even", 80, 1, 80),
    DURABLE("durable", "durable edits a second of the busiest server; 0 = hflush", 0, 0, 1e9),
    LONGEST(
        "longest", "seconds that an operation in a burst of writes may take; 0 = any", 0, 0, 1e9),
    DRIVE("drive", "capacity of an HDD", 20 * Demand.TIB, 1L << 30, Demand.MOST_BYTES),
    PRICE_RATIO("price-ratio", "price of a byte of SSD over one of HDD", 16.4, 1, 200);

    public final String flag;
    public final String meaning;
    public final double least;
    public final double most;
    private final double otherwise;

    Ask(String flag, String meaning, double otherwise, double least, double most) {
      this.flag = flag;
      this.meaning = meaning;
      this.otherwise = otherwise;
      this.least = least;
      this.most = most;
    }

    public boolean isSize() {
      return most == MOST_BYTES;
    }
  }

  private static final double MOST_BYTES = 1L << 60;
  public static final double TIB = 1L << 40;

  public static final String GIVEN = "given";

  /** VDURA's Flash Volatility Index: TLC of 30 TB against HDD. */
  private static final String PRICES = "Q1 2026, Flash Volatility Index of VDURA; 6.2 in Q2 2025";

  private final Map<Ask, Double> values;
  private final Map<Ask, String> origins;
  public final int replicas;

  private Demand(Map<Ask, Double> values, Map<Ask, String> origins, int replicas) {
    this.values = values;
    this.origins = origins;
    this.replicas = replicas;
  }

  /**
   * @param replicas of every file, at least 1
   */
  public static Demand of(int replicas) {
    return new Demand(Map.of(), Map.of(), Math.max(1, replicas));
  }

  /**
   * @param origin for people
   */
  public Demand with(Ask ask, double value, String origin) {
    Map<Ask, Double> nextValues = new HashMap<>(values);
    nextValues.put(ask, value);
    Map<Ask, String> nextOrigins = new HashMap<>(origins);
    nextOrigins.put(ask, origin);
    return new Demand(nextValues, nextOrigins, replicas);
  }

  public Demand orElse(Ask ask, OptionalDouble value, String origin) {
    return knows(ask) || value.isEmpty() ? this : with(ask, value.getAsDouble(), origin);
  }

  public boolean knows(Ask ask) {
    return values.containsKey(ask);
  }

  /** The assumed value if unset; NaN if there is none. */
  public double get(Ask ask) {
    return values.getOrDefault(ask, ask.otherwise);
  }

  public String origin(Ask ask) {
    return origins.getOrDefault(ask, ask == Ask.PRICE_RATIO ? PRICES : "assumed");
  }

  /**
   * Exponent a: the most read share s of the data answers s^a of the reads; 1 if all data is read
   * evenly.
   */
  double skew() {
    return Math.log(0.8) / Math.log(get(Ask.HOT) / 100);
  }

  /**
   * The inverse of {@link #skew}.
   *
   * @param share of the data, above 0 and below 1
   * @param answered share of the reads, at least {@code share} and below 1
   * @return percent of the data that four of five reads go to
   */
  public static double hotPercent(double share, double answered) {
    return 100 * Math.pow(0.8, Math.log(share) / Math.log(answered));
  }
}
