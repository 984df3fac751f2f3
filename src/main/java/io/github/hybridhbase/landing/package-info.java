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
/**
 * The landing tier: young store files live on SSD, old ones on DISK. What is decided is pure
 * ({@link io.github.hybridhbase.landing.LandingDecision}, {@link
 * io.github.hybridhbase.landing.DrainPlan}, {@link io.github.hybridhbase.landing.Ledger}); {@link
 * io.github.hybridhbase.landing.HybridStoreEngine} and {@link
 * io.github.hybridhbase.landing.LandingTier} carry it out on each RegionServer for its own stores,
 * {@link io.github.hybridhbase.landing.LandingWarden} on the active master says whether it may.
 */
package io.github.hybridhbase.landing;
