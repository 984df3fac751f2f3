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
package io.github.hybridhbase.hot;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * The hot rows of a store. Constant while a compaction runs: a row's cells reach a writer in
 * several batches.
 */
@InterfaceAudience.Private
@FunctionalInterface
public interface HotSet {
  boolean contains(byte[] row, int offset, int length);
}
