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
package io.github.hybridhbase.bed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class FaultMakerTest {
  private static byte[] middle(byte[] start, byte[] end) {
    RegionInfo region =
        RegionInfoBuilder.newBuilder(TableName.valueOf("rows"))
            .setStartKey(start)
            .setEndKey(end)
            .build();
    return FaultMaker.middle(region);
  }

  @Test
  void aRegionIsSplitInTheMiddleOfItsKeys() {
    assertArrayEquals(new byte[] {0x7f}, middle(new byte[0], new byte[0]));
    assertArrayEquals(new byte[] {0x20}, middle(new byte[0], new byte[] {0x40}));
    assertArrayEquals(new byte[] {(byte) 0xdf}, middle(new byte[] {(byte) 0xc0}, new byte[0]));
    byte[] start = {0x40};
    byte[] end = {0x40, 0, 0, 5};
    byte[] middle = middle(start, end);
    assertTrue(Bytes.compareTo(start, middle) < 0 && Bytes.compareTo(middle, end) < 0);
  }
}
