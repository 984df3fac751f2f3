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
 * A cluster's placement as an operator sees it: {@link PlacementFindings} and {@link PageRenderer}
 * are pure functions of {@link PlacementSnapshot}; {@link WebUi.MasterPage} serves the page.
 *
 * <p>Rule: no calls to HDFS or HBase; {@link Html} escapes every text.
 */
package io.github.hybridhbase.page;
