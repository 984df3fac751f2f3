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
package io.github.hybridhbase.tool;

import io.github.hybridhbase.page.Picture;
import io.github.hybridhbase.page.Picture.ComponentShare;
import io.github.hybridhbase.page.Picture.Demotion;
import io.github.hybridhbase.page.Picture.ScanTimes;
import io.github.hybridhbase.page.TierShare;
import io.github.hybridhbase.placement.DirectoryAction;
import io.github.hybridhbase.placement.DirectoryPlan;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.scan.ScanReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** A pure function that adds an audit, or the master's scan, to a picture. */
@InterfaceAudience.Private
public final class AuditPicture {
  private AuditPicture() {}

  /**
   * @param began start of the scan, milliseconds since 1970
   * @param capacity bytes of all SSD; 0 if unknown
   */
  public static Picture add(
      Picture to,
      AuditReport report,
      HybridSettings settings,
      long began,
      long millis,
      long capacity) {
    ScanReport scan = report.scan();
    List<ComponentShare> shares = new ArrayList<>();
    for (Component component : Component.values()) {
      shares.add(
          new ComponentShare(
              component,
              settings.policy(component),
              report.inForce(component),
              scan.closed(component),
              scan.open(component)));
    }
    ScanTimes times =
        new ScanTimes(began, millis, scan.files(), scan.directories(), !report.stopped());
    Picture picture =
        to.scanned(times, shares, AuditFindings.of(report))
            .demotions(demotions(report))
            .notes(report.unseen());
    return settings.policy(Component.TIER) == StoragePolicy.NONE
        ? picture
        : picture.tier(
            new TierShare(
                report.tierState(),
                Optional.of(report.tier()),
                settings.tier().budget().of(capacity),
                settings.tier().maxAgeSeconds()));
  }

  private static List<Demotion> demotions(AuditReport report) {
    List<Demotion> demotions = new ArrayList<>();
    DirectoryPlan.of(report.found(), report.hold().isPresent()).actions().stream()
        .filter(action -> action.kind() == DirectoryAction.Kind.DEMOTED)
        .forEach(
            action ->
                demotions.add(
                    new Demotion(
                        action.path().toUri().getPath(),
                        OptionalLong.empty(),
                        "SSD was refused or ran short; the active master's log says when.")));
    for (String server : report.walServers().fellBack()) {
      demotions.add(Demotion.ofServer(new Path(report.layout().wals(), server).toUri().getPath()));
    }
    return demotions;
  }
}
