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
package io.github.hybridhbase.tool.doctor;

import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Mode;
import io.github.hybridhbase.runtime.Text;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A check whether servers declare the same policies as the active master, for {@code doctor} and
 * the master's page.
 */
@InterfaceAudience.Private
public final class DeclarationChecks {
  private DeclarationChecks() {}

  /** The modes, and one finding per component; servers whose declaration is unknown are ignored. */
  public static List<Finding> findings(List<ClusterFacts.Plugin> plugins) {
    List<Finding> findings = new ArrayList<>();
    modes(plugins).ifPresent(findings::add);
    for (Component component : Component.values()) {
      Map<String, List<String>> servers = new TreeMap<>();
      for (ClusterFacts.Plugin plugin : plugins) {
        Optional.ofNullable(plugin.declared.get(component.label()))
            .ifPresent(
                policy ->
                    servers.computeIfAbsent(policy, any -> new ArrayList<>()).add(plugin.server));
      }
      if (servers.size() > 1) {
        findings.add(finding(component, servers));
      }
    }
    return findings;
  }

  private static Optional<Finding> modes(List<ClusterFacts.Plugin> plugins) {
    Map<String, List<String>> servers = new TreeMap<>();
    for (ClusterFacts.Plugin plugin : plugins) {
      String mode = plugin.declared.get(HybridSettings.DECLARED_MODE);
      if (mode != null) {
        servers.computeIfAbsent(mode, any -> new ArrayList<>()).add(plugin.server);
      }
    }
    boolean some =
        Stream.of(Mode.values()).anyMatch(m -> m.places() && servers.containsKey(m.label()));
    if (!some || !servers.containsKey(Mode.OBSERVE.label())) {
      return Optional.empty();
    }
    return Optional.of(
        Finding.of(
            FindingId.MODES_DIFFER,
            HybridKeys.MODE.name(),
            servers.entrySet().stream()
                .map(one -> one.getKey() + " on " + Text.some(one.getValue()))
                .collect(Collectors.joining(", "))));
  }

  private static Finding finding(Component component, Map<String, List<String>> servers) {
    // The owner's, or the most frequent if no master runs the plugin.
    String owners =
        servers.entrySet().stream()
            .filter(one -> one.getValue().stream().anyMatch(PluginFinder::isActiveMaster))
            .findFirst()
            .or(
                () ->
                    servers.entrySet().stream()
                        .max(Map.Entry.comparingByValue((a, b) -> a.size() - b.size())))
            .orElseThrow()
            .getKey();
    Map<String, List<String>> others = new HashMap<>(servers);
    List<String> owning = others.remove(owners);
    String policies =
        owners
            + " on "
            + (owning.stream().anyMatch(PluginFinder::isActiveMaster)
                ? "the active master"
                : Text.some(owning))
            + ", "
            + new TreeMap<>(others)
                .entrySet().stream()
                    .map(one -> one.getKey() + " on " + Text.some(one.getValue()))
                    .collect(Collectors.joining(", "));
    return Finding.of(FindingId.DECLARATIONS_DIFFER, component.policyKey(), policies)
        .withWeight(others.values().stream().mapToInt(List::size).sum());
  }
}
