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
 * How files leave SSD: those of open stores by HBase's compaction, archived ones by an HDFS move.
 * Entry: {@link Drain.DrainPlan} chooses files, {@link Drain} executes the plan, {@link
 * ExitRequest} chooses a compaction's files; a store and its files are {@link TrackedStore} and
 * {@link TieredFile}.
 *
 * <p>Rule: nothing is read from HDFS that HBase has in memory.
 */
package io.github.hybridhbase.tier.drain;
