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
 * Store files of hot rows: counts which rows of a store are read, splits the output of a compaction
 * into a file of the rows that are read often and a file of all others, and computes when a
 * compaction for that purpose pays. Entry: {@link HotStore} for a store, {@link HotRows} for a
 * server.
 *
 * <p>Rule: which rows are hot changes where a row is read, never what is read; where the files lie
 * is decided in package {@code tier}.
 */
package io.github.hybridhbase.hot;
