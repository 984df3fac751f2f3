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
import io.github.hybridhbase.hdfs.FileBlocks;
import java.util.Locale;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/** A pure function that gives the policy under which a new store file should have been written. */
@InterfaceAudience.Private
public final class NewFileCheck {
  private NewFileCheck() {}

  /**
   * The policy that a store file should follow; {@link StoragePolicy#NONE} if none is declared.
   *
   * <p>The family's own policy comes first. User data then follows what HDFS has in force, possibly
   * an admin's choice for one table. System components follow the declaration, which reveals a
   * directory that lost its policy.
   *
   * @param standard id of HDFS's policy for unspecified files
   * @param familyPolicy STORAGE_POLICY, or null
   */
  public static StoragePolicy expected(
      HybridSettings settings,
      byte standard,
      Component component,
      String familyPolicy,
      FileBlocks file) {
    Optional<StoragePolicy> family = parse(familyPolicy);
    if (family.isPresent()) {
      return family.get();
    }
    StoragePolicy declared = settings.policy(component);
    boolean specified = file.policy() != StoragePolicy.UNSPECIFIED;
    if (component == Component.USER && (specified || standard != StoragePolicy.HOT.id())) {
      byte inForce = specified ? file.policy() : standard;
      return StoragePolicy.ofId(inForce).orElse(StoragePolicy.NONE);
    }
    return declared;
  }

  private static Optional<StoragePolicy> parse(String name) {
    if (name == null) {
      return Optional.empty();
    }
    try {
      StoragePolicy policy = StoragePolicy.valueOf(name.trim().toUpperCase(Locale.ROOT));
      return policy == StoragePolicy.NONE ? Optional.empty() : Optional.of(policy);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
