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
 * A bed of real processes: HDFS, ZooKeeper and HBase of any line as JVMs of their own on loopback,
 * started out of Maven's jars. {@link io.github.hybridhbase.bed.Bed} is the library, {@link
 * io.github.hybridhbase.bed.Demo} the command in front of it. All that is known of a bed lies in
 * its directory, so that another shell may look at a bed, or kill, stop, continue and start its
 * processes. Linux only.
 */
package io.github.hybridhbase.bed;
