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

import io.github.hybridhbase.directory.DirectoryPlan;
import io.github.hybridhbase.directory.DirectoryState;
import io.github.hybridhbase.hdfs.RootPolicy;
import io.github.hybridhbase.placement.DirectoryRule;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The findings of {@code audit} and {@code doctor} that an admin's policy above HBase's root
 * replaces the declared one, one per component and root.
 */
@InterfaceAudience.Private
public final class RootPolicyFinding {
  private RootPolicyFinding() {}

  public static List<Finding> findings(List<DirectoryState> found) {
    List<Finding> findings = new ArrayList<>();
    Set<String> said = new HashSet<>();
    for (DirectoryState one : found) {
      if (DirectoryPlan.follows(one)) {
        DirectoryRule rule = one.rule().get();
        byte above = one.above().get();
        String subject = rule.component().label() + " in " + rule.base().toUri().getPath();
        if (said.add(rule.component().label() + " " + rule.base())) {
          findings.add(
              new Finding(
                  FindingId.POLICY_ABOVE,
                  subject,
                  RootPolicy.explain(rule, above),
                  RootPolicy.remedy(rule, above)));
        }
      }
    }
    return findings;
  }

  /** A finding for each of HBase's roots without storage policies. */
  public static List<Finding> notOnHdfs(List<Path> roots) {
    return roots.stream()
        .map(
            root ->
                new Finding(
                    FindingId.ROOT_NOT_ON_HDFS,
                    root.toString(),
                    root + " is not on HDFS.",
                    "Nothing, if that is meant; else point hbase.rootdir and hbase.wal.dir to HDFS."))
        .collect(Collectors.toList());
  }
}
