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

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.MoveConsent;
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.hdfs.RootPolicy;
import io.github.hybridhbase.placement.DirectoryPlan;
import io.github.hybridhbase.placement.DirectoryState;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.Mode;
import io.github.hybridhbase.runtime.StoragePolicy;
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

/** The policy that a file should follow: one found by a scan, or one after a revert. Pure. */
@InterfaceAudience.Private
public final class Expectation {
  /** Precedes, in a declaration, a directory that follows an admin's policy. */
  private static final String NOT = " not ";

  private final HybridSettings settings;
  private final Function<Component, StoragePolicy> effective;
  private final Set<Component> demoted;
  private final TierFiles tierFiles;
  private final Map<Path, Boolean> following;
  private final String declaration;
  private final boolean whole;

  /**
   * @param effective the declaration minus what a hold or the space monitor withdraws, by
   *     component; {@link StoragePolicy#NONE} leaves files alone
   */
  private Expectation(
      HybridSettings settings,
      Function<Component, StoragePolicy> effective,
      Set<Component> demoted,
      TierFiles tierFiles,
      Map<Path, Boolean> following,
      String declaration,
      boolean whole) {
    this.settings = settings;
    this.effective = effective;
    this.demoted = demoted;
    this.tierFiles = tierFiles;
    this.following = following;
    this.declaration = declaration;
    this.whole = whole;
  }

  public Expectation ignoring(TierFiles files) {
    return new Expectation(settings, effective, demoted, files, following, declaration, whole);
  }

  /** Whether the SSD tier owns this file; any medium and an SSD policy of its own are fine then. */
  public boolean ignores(FileContext context, FileBlocks file) {
    return tierFiles.has(context, file)
        && (file.policy() == context.parent() || StoragePolicy.isForSsd(file.policy()));
  }

  /** The declaration minus what a hold and the space monitor withdraw. */
  public static Expectation of(HybridSettings settings, boolean held, List<DirectoryState> found) {
    Set<Component> demoted = EnumSet.noneOf(Component.class);
    Map<Path, Boolean> following = new HashMap<>();
    Set<Component> holds = held ? EnumSet.allOf(Component.class) : EnumSet.noneOf(Component.class);
    Set<String> exempt = new TreeSet<>();
    for (DirectoryState one : found) {
      if (one.above().isPresent() && one.rule().isPresent()) {
        DirectoryRule rule = one.rule().get();
        following.put(one.path(), DirectoryPlan.follows(one));
        // For temporary files, which lie beside these directories.
        following.merge(rule.base(), DirectoryPlan.follows(one), Boolean::logicalOr);
        if (DirectoryPlan.follows(one)) {
          exempt.add(NOT + rule.component().label() + " " + one.path());
        }
      }
      if (one.rule().isPresent() && isDemoted(one)) {
        demoted.add(one.rule().get().component());
      }
      if (one.rule().isPresent() && isForeign(one)) {
        holds.add(one.rule().get().component());
      }
    }
    return new Expectation(
        settings,
        component ->
            settings
                .policy(component)
                .effective(demoted.contains(component), holds.contains(component)),
        demoted,
        TierFiles.NONE,
        following,
        declaration(settings) + String.join("", exempt),
        holds.isEmpty() && demoted.isEmpty());
  }

  /** A record may outlive its demotion, as when the declared policy changes. */
  private static boolean isDemoted(DirectoryState one) {
    StoragePolicy declared = one.rule().get().policy();
    return one.provenance().filter(PolicyProvenance::demoted).isPresent()
        && declared.wantsSsd()
        && one.status().filter(status -> status.effective() == declared.id()).isEmpty();
  }

  /**
   * Whether another version of the plugin placed this directory differently; its files are left to
   * that version.
   */
  private static boolean isForeign(DirectoryState one) {
    byte declared = one.rule().get().policy().id();
    return one.record().isForeign()
        && one.status().filter(status -> status.effective() == declared).isEmpty();
  }

  /**
   * Whether the innermost known directory around the path follows an admin's policy above HBase's
   * root.
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
   * Temporary files become store files, so they follow their table; the SSD tier sets a policy on
   * the file itself.
   */
  private static Component settled(Component component) {
    return component == Component.TIER ? Component.USER : component;
  }

  StoragePolicy of(Component component, Path path) {
    return follows(component, path) ? StoragePolicy.NONE : wanted(component);
  }

  /**
   * The targets of moves as text, for a {@link io.github.hybridhbase.hdfs.MoveConsent}. It depends
   * on the declaration and on an admin's policies above the root, not on the space monitor.
   */
  public String declaration() {
    return declaration;
  }

  private static String declaration(HybridSettings settings) {
    return Arrays.stream(Component.values())
        .filter(component -> component != Component.TIER)
        .map(component -> component.label() + "=" + settings.policy(component))
        .collect(Collectors.joining(" "));
  }

  /**
   * Whether the consent covers moving user data to the declared policy, with no admin's policy
   * above HBase's root. No I/O.
   */
  public static boolean movesUserData(MoveConsent consent, HybridSettings settings) {
    String text = consent.declaration() + " ";
    return consent.given()
        && text.startsWith(declaration(settings) + " ")
        && !text.contains(NOT + Component.USER.label() + " ");
  }

  public Mode mode() {
    return settings.mode();
  }

  boolean whole() {
    return whole;
  }

  /** The declared policy of a component, whatever a hold or the space monitor withdraws. */
  public StoragePolicy declared(Component component) {
    return settings.policy(component);
  }

  /**
   * The policy by which a file's media are judged; {@link StoragePolicy#NONE} for any. A demoted
   * component's files are right both on SSD, where they were, and on DISK, where new ones go.
   */
  public StoragePolicy judged(FileContext context, FileBlocks file) {
    return demoted.contains(settled(context.component())) ? StoragePolicy.NONE : of(context, file);
  }

  public StoragePolicy of(Component component) {
    return effective.apply(component);
  }

  /** The policy that a component's files are compared with; temporary files use user data's. */
  public StoragePolicy wanted(Component component) {
    return of(settled(component));
  }

  /**
   * The policy whose media a file's replicas should be on; {@link StoragePolicy#NONE} for any.
   *
   * <p>System components follow the declaration. Files below an admin's policy above HBase's root
   * are left alone. In user data a policy set on family, table or file wins; one unknown to HBase
   * ({@code policy#ID}) is left alone.
   */
  public StoragePolicy of(FileContext context, FileBlocks file) {
    StoragePolicy declared = of(context.component(), file.path());
    if (context.erasureCoded() || ignores(context, file)) {
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
   * The policy in force on a file, which it follows without the plugin. {@link StoragePolicy#NONE}
   * if the plugin never moved it: declared NONE, or below an admin's policy.
   *
   * @param admins see {@link RootPolicy#roots}
   */
  public static StoragePolicy afterRevert(
      HybridSettings settings, List<Path> admins, FileContext context, FileBlocks file) {
    Component component = settled(context.component());
    return context.erasureCoded()
            || settings.policy(component) == StoragePolicy.NONE
            || DirectoryState.below(admins, component, file.path())
        ? StoragePolicy.NONE
        : inForce(file.policy());
  }

  /**
   * Whether HDFS, if asked, would move this misplaced file to the right media: only a closed file
   * whose policy in force is the wanted one. An archived file loses its tier policy first.
   */
  public static boolean movable(FileContext context, FileBlocks file, StoragePolicy wanted) {
    return !file.open()
        && wanted != StoragePolicy.NONE
        && file.misplaced(wanted) > 0
        && inForce(mustLose(context, file) ? context.parent() : file.policy()) == wanted;
  }

  /** Whether the file, archived by HBase, must lose its tier policy before a move. */
  static boolean mustLose(FileContext context, FileBlocks file) {
    return context.component() == Component.ARCHIVE && context.isTiered(file);
  }

  /**
   * Maps "unspecified" to HOT, HDFS's default. INVARIANT: with another default (an admin's, see
   * {@link RootPolicy}) user data and archive never get here, and system components have policies
   * of their own.
   */
  private static StoragePolicy inForce(byte id) {
    return id == StoragePolicy.UNSPECIFIED
        ? StoragePolicy.HOT
        : StoragePolicy.ofId(id).orElse(StoragePolicy.NONE);
  }
}
