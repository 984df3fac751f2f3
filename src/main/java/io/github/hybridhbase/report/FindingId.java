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
package io.github.hybridhbase.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** A kind of finding: its stable id, severity and words, from {@code findings.properties}. */
@InterfaceAudience.Public
public enum FindingId {
  POLICY_ABOVE(Severity.WARNING, Stage.POLICY),
  OWN_POLICY(Severity.NOTE),
  ERASURE_CODED(Severity.NOTE),
  UNDER_REPLICATED(Severity.ERROR),
  /** HDFS counts them as live, and lists none of them. */
  REPLICAS_IN_MAINTENANCE(Severity.NOTE),
  MISPLACED(Severity.WARNING, Stage.FILES),
  HELD_ON_SSD(Severity.NOTE),
  STALLED_DATANODE(Severity.WARNING, Stage.SSD),
  TIER_CLOSED(Severity.NOTE, Stage.TIER),
  TIER_OVERDUE(Severity.WARNING, Stage.TIER),
  UNREADABLE(Severity.WARNING),

  NO_SSD(Severity.ERROR, Stage.SSD),
  FEW_SSD_NODES(Severity.ERROR, Stage.SSD),
  SSD_RACKS(Severity.ERROR, Stage.SSD),
  DATANODE_SILENT(Severity.WARNING, Stage.SSD),
  SSD_REFUSES(Severity.WARNING, Stage.SSD),
  POLICIES_DISABLED(Severity.ERROR),
  XATTRS_DISABLED(Severity.ERROR),
  SSD_SPACE(Severity.WARNING, Stage.SSD),
  SSD_QUOTA(Severity.ERROR, Stage.SSD),
  ONE_SSD_TOPOLOGY(Severity.ERROR),
  SYNC_ON_CLOSE(Severity.NOTE),
  AUTO_WITHOUT_SYNC_ON_CLOSE(Severity.ERROR),
  FAILED_VOLUMES(Severity.WARNING),
  TIER_BYPASSED(Severity.NOTE),
  SETTING_WRONG(Severity.ERROR),
  TABLE_SETTING_WRONG(Severity.WARNING),
  NOT_INSTALLED(Severity.WARNING),
  NOT_LOADED(Severity.ERROR),
  DECLARATIONS_DIFFER(Severity.WARNING),
  WRITER_NOT_IN_FORCE(Severity.ERROR),
  TIER_NOT_IN_FORCE(Severity.WARNING),
  TIER_NOT_SERVED(Severity.NOTE),
  HOT_NO_ROW_FILTER(Severity.WARNING),
  HOT_LARGE_BLOCKS(Severity.NOTE),
  HOT_ONE_SSD(Severity.WARNING),
  ROOT_NOT_ON_HDFS(Severity.NOTE),
  OLD_WALS_HELD(Severity.WARNING),
  ZOOKEEPER_ON_DISK(Severity.NOTE);

  /** A place in the chain from cause to consequence; {@link #OTHER} is outside it. */
  @InterfaceAudience.Public
  public enum Stage {
    SSD,
    POLICY,
    TIER,
    FILES,
    OTHER
  }

  public final Severity severity;
  public final Stage stage;
  private final String seen;
  public final String causes;
  private final String remedy;

  FindingId(Severity severity) {
    this(severity, Stage.OTHER);
  }

  FindingId(Severity severity, Stage stage) {
    this.severity = severity;
    this.stage = stage;
    seen = Words.of(id() + ".seen");
    causes = Words.of(id() + ".causes");
    remedy = Words.of(id() + ".remedy");
  }

  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public String seen() {
    return seen;
  }

  /** With {@code {name}} for facts; empty for a note without action. */
  public String remedy() {
    return remedy;
  }

  /** What was seen, then the remedy; see {@link Finding#of}. */
  List<String> filled(String subject, Object... facts) {
    return Words.filled(id(), Map.of("subject", subject), List.of(seen, remedy), facts);
  }

  /** A text of {@code findings.properties} that is no finding's; "" if absent. */
  public static String words(String name) {
    return Words.of(name);
  }

  public static List<String> causeAndRemedy(String name, Object... facts) {
    List<String> texts = List.of(words(name + ".cause"), words(name + ".remedy"));
    assert texts.stream().noneMatch(String::isEmpty) : name;
    return Words.filled(name, Map.of(), texts, facts);
  }

  private static final class Words {
    static final Pattern FACT = Pattern.compile("\\{([a-z]+)}");
    private static final Pattern INSERT = Pattern.compile("\\{@([a-z.-]+)}");
    private static final Map<String, String> ALL = read();

    private static Map<String, String> read() {
      Properties all = new Properties();
      try (InputStream file = FindingId.class.getResourceAsStream("findings.properties")) {
        all.load(new InputStreamReader(file, StandardCharsets.UTF_8));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return all.stringPropertyNames().stream()
          .collect(
              Collectors.toUnmodifiableMap(name -> name, name -> all.getProperty(name).trim()));
    }

    static String of(String name) {
      return replaced(INSERT, ALL.getOrDefault(name, ""), Words::of);
    }

    static List<String> filled(
        String what, Map<String, String> known, List<String> texts, Object... facts) {
      Map<String, String> values = new HashMap<>(known);
      Iterator<Object> next = List.of(facts).iterator();
      for (Matcher name = FACT.matcher(String.join("", texts)); name.find(); ) {
        if (!values.containsKey(name.group(1)) && next.hasNext()) {
          values.put(name.group(1), String.valueOf(next.next()));
        }
      }
      assert !next.hasNext() : what + " has fewer facts: " + List.of(facts);
      return texts.stream()
          .map(text -> replaced(FACT, text, name -> value(what, name, values)))
          .collect(Collectors.toList());
    }

    private static String value(String what, String name, Map<String, String> values) {
      assert values.containsKey(name) : what + " lacks the fact " + name;
      return values.getOrDefault(name, "?");
    }

    static String replaced(Pattern names, String text, UnaryOperator<String> value) {
      return names
          .matcher(text)
          .replaceAll(name -> Matcher.quoteReplacement(value.apply(name.group(1))));
    }
  }

  public enum Severity {
    /** Loses or blocks something. */
    ERROR,
    /** Is not as declared, and does not repair itself within its stated time. */
    WARNING,
    /** For information; does not affect the exit code. */
    NOTE
  }
}
