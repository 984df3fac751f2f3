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
 * Delays write calls while a region or the server approaches the memory at which HBase refuses
 * writes. Entry: {@link io.github.hybridhbase.tier.throttle.WritePressure} decides, {@link
 * io.github.hybridhbase.tier.throttle.WriteDelay} reads a region, {@link
 * io.github.hybridhbase.tier.throttle.WriteCalls} delays the server's calls.
 *
 * <p>Rule: reads HBase's memory only and takes no lock.
 */
package io.github.hybridhbase.tier.throttle;
