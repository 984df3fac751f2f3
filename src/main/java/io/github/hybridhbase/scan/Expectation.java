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
package io.github.hybridhbase.scan;

import io.github.hybridhbase.config.Component;
import io.github.hybridhbase.config.HybridSettings;
import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.directory.DirectoryPlan;
import io.github.hybridhbase.directory.DirectoryState;
import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.MoveConsent;
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.hdfs.RootPolicy;
import io.github.hybridhbase.placement.DirectoryRule;
import io.github.hybridhbase.placement.EffectivePolicy;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** Which policy a file found by the scan should follow: a pure function. */
@InterfaceAudience.Private
public final class Expectation {
  /** In a declaration: what lies in this directory follows an admin's policy, not the declared. */
  private static final String NOT = " not ";

  private final Function<Component, StoragePolicy> effective;
  private final TierFiles tierFiles;
  private final Map<Path, Boolean> following;
  private final String declaration;
  private final boolean whole;

  /**
   * Makes an expectation.
   *
   * @param effective what is to be in force on a component now: the declaration, less what a hold
   *     or the space monitor takes back; {@link StoragePolicy#NONE} for "leave alone"
   */
  private Expectation(
      Function<Component, StoragePolicy> effective,
      TierFiles tierFiles,
      Map<Path, Boolean> following,
      String declaration,
      boolean whole) {
    this.effective = effective;
    this.tierFiles = tierFiles;
    this.following = following;
    this.declaration = declaration;
    this.whole = whole;
  }

  /** The same expectation, which leaves to the SSD tier what the SSD tier looks after. */
  public Expectation sparing(TierFiles files) {
    return new Expectation(effective, files, following, declaration, whole);
  }

  /** Whether a file is left to the SSD tier: any medium is fine, and a policy of its own. */
  public boolean spares(FileContext context, FileBlocks file) {
    return tierFiles.has(context, file)
        && (file.policy() == context.parent() || StoragePolicy.isForSsd(file.policy()));
  }

  /**
   * What is to be in force: the declaration, less what a hold and the space monitor take back.
   *
   * @param held whether the plugin is to place nothing at all
   * @param found the directories as HDFS has them
   */
  public static Expectation of(HybridSettings settings, boolean held, List<DirectoryState> found) {
    Set<Component> demoted = EnumSet.noneOf(Component.class);
    Map<Path, Boolean> following = new HashMap<>();
    Set<Component> holds = held ? EnumSet.allOf(Component.class) : EnumSet.noneOf(Component.class);
    Set<String> exempt = new TreeSet<>();
    for (DirectoryState one : found) {
      if (one.above().isPresent() && one.rule().isPresent()) {
        DirectoryRule rule = one.rule().get();
        following.put(one.path(), DirectoryPlan.follows(one));
        // For what lies beside these directories: temporary files.
        following.merge(rule.base(), DirectoryPlan.follows(one), Boolean::logicalOr);
        if (DirectoryPlan.follows(one)) {
          exempt.add(NOT + rule.component().label() + " " + one.path());
        }
      }
      if (one.rule().isPresent()
          && one.provenance().filter(PolicyProvenance::demoted).isPresent()) {
        demoted.add(one.rule().get().component());
      }
      if (one.rule().isPresent() && isForeign(one)) {
        holds.add(one.rule().get().component());
      }
    }
    return new Expectation(
        component -> EffectivePolicy.of(component, settings.policy(component), demoted, holds),
        TierFiles.NONE,
        following,
        declaration(settings) + String.join("", exempt),
        holds.isEmpty() && demoted.isEmpty());
  }

  /**
   * Whether another version placed a directory otherwise than is declared, demoted it say: its
   * files are left to that version.
   */
  private static boolean isForeign(DirectoryState one) {
    byte declared = one.rule().get().policy().id();
    return one.record().isForeign()
        && one.status().filter(status -> status.effective() == declared).isEmpty();
  }

  /**
   * Whether what lies there follows an admin's policy above HBase's root, as the innermost
   * directory around it does.
   */
  private boolean follows(Component component, Path path) {
    if (following.isEmpty() || !RootPolicy.follows(component)) {
      return false;
    }
    Path at = path.getParent();
    while (at != null && !following.containsKey(at)) {
      at = at.getParent();
    }
    return at != null && following.get(at);
  }

  /**
   * Temporary files become store files, so they follow their table. Where the SSD tier is on, it
   * sets a policy on the file itself.
   */
  static Component settled(Component component) {
    return component == Component.TMP ? Component.USER : component;
  }

  /** What is to be in force on the directories of a component within this one. */
  StoragePolicy of(Component component, Path path) {
    return follows(component, path) ? StoragePolicy.NONE : wanted(component);
  }

  /**
   * What files are moved to by it, for a {@link io.github.hybridhbase.hdfs.MoveConsent}: changes
   * with the declaration and where an admin's policy above comes or goes, not with the space
   * monitor.
   */
  public String declaration() {
    return declaration;
  }

  private static String declaration(HybridSettings settings) {
    return Arrays.stream(Component.values())
        .filter(component -> component != Component.TMP)
        .map(component -> component.label() + "=" + settings.policy(component))
        .collect(Collectors.joining(" "));
  }

  /**
   * Whether somebody agreed that user data is moved to where these settings declare it, where no
   * admin's policy above HBase's root is in force. Asks nobody.
   */
  public static boolean movesUserData(MoveConsent consent, HybridSettings settings) {
    String text = consent.declaration() + " ";
    return consent.given()
        && text.startsWith(declaration(settings) + " ")
        && !text.contains(NOT + Component.USER.label() + " ");
  }

  /** Whether the declaration is in force whole: nothing is held, or kept away from SSD. */
  boolean whole() {
    return whole;
  }

  /** What is to be in force on a component now. */
  public StoragePolicy of(Component component) {
    return effective.apply(component);
  }

  /** What a component's files are held against: those of the SSD tier against user data's. */
  public StoragePolicy wanted(Component component) {
    return of(settled(component));
  }

  /**
   * The policy whose media a file's replicas should be on. System components follow the
   * declaration. What follows an admin's policy above HBase's root is left alone. Within user data
   * a policy that somebody gave a family, a table or the file itself wins; one that HBase knows
   * nothing of ({@code policy#ID}) is left alone.
   */
  public StoragePolicy of(FileContext context, FileBlocks file) {
    StoragePolicy declared = of(context.component(), file.path());
    if (context.erasureCoded() || spares(context, file)) {
      return StoragePolicy.NONE;
    }
    if (declared == StoragePolicy.NONE || !FileContext.userData(context.component())) {
      return declared;
    }
    return file.policy() == context.base()
        ? declared
        : StoragePolicy.ofId(file.policy()).orElse(StoragePolicy.NONE);
  }

  /**
   * Whether HDFS, asked to satisfy the policy in force on this misplaced file, would put it where
   * it should be: only of a closed file whose policy is the wanted one, once an archived one has
   * lost what the SSD tier gave it.
   */
  public static boolean movable(FileContext context, FileBlocks file, StoragePolicy wanted) {
    return !file.open()
        && wanted != StoragePolicy.NONE
        && file.misplaced(wanted) > 0
        && inForce(mustLose(context, file) ? context.parent() : file.policy()) == wanted;
  }

  /** Whether a file has to lose its own policy before HDFS moves it: HBase is done with it. */
  static boolean mustLose(FileContext context, FileBlocks file) {
    return context.component() == Component.ARCHIVE && context.isTiered(file);
  }

  /**
   * HDFS treats "unspecified" as its default policy. Where that is not HOT it is an admin's word,
   * see {@link RootPolicy}, and user data and archive never come here; system components have a
   * policy of their own then.
   */
  static StoragePolicy inForce(byte id) {
    return id == StoragePolicy.UNSPECIFIED
        ? StoragePolicy.HOT
        : StoragePolicy.ofId(id).orElse(StoragePolicy.NONE);
  }
}
