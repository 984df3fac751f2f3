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
package io.github.hybridhbase.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.WebClient.Jmx;
import io.github.hybridhbase.hdfs.XattrRecord.Found;
import io.github.hybridhbase.testing.HostileText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** Whatever stands in an xattr, or is answered by what claims to be a NameNode, is read. */
@InterfaceAudience.Private
class HostileRecordsTest {
  private static final int CASES = 5_000;

  private final HostileText text = new HostileText(getClass().getSimpleName());

  private static <T extends XattrRecord.Value> Optional<T> read(
      XattrRecord<T> record, byte[] value) {
    Found<T> found = record.in(Map.of("user.x", value));
    assertTrue(!found.isAbsent() && found.isForeign() == found.read().isEmpty());
    found
        .read()
        .ifPresent(
            one -> {
              assertNotNull(one.toString());
              // What was read is what would be written, or it would be written for ever.
              byte[] again = one.toBytes();
              assertEquals(found, record.in(Map.of("user.x", again)), one::toString);
            });
    return found.read();
  }

  @Test
  void provenanceIsReadOrIsNone() {
    XattrRecord<PolicyProvenance> record = new XattrRecord<>("user.x", PolicyProvenance::parse);
    for (int i = 0; i < CASES; i++) {
      byte[] value =
          text.next("v2 before=0 set=12 was=12", "v2 before=7 set=7 was=12 by=space")
              .getBytes(StandardCharsets.UTF_8);
      read(record, value)
          .ifPresent(
              one -> {
                assertTrue(one.explains(one.set()));
                assertNotNull(one.settled().asDemoted());
              });
    }
  }

  @Test
  void aTierStateThatCannotBeReadIsClosed() {
    XattrRecord<TierState> record = new XattrRecord<>("user.x", TierState::parse);
    for (int i = 0; i < CASES; i++) {
      String word = text.next("v1 open 1000000", "v1 closed no space", "v1 left a hold");
      Optional<TierState> told = read(record, word.getBytes(StandardCharsets.UTF_8));
      TierState state =
          TierState.followed(told.map(Found::of).orElseGet(() -> Found.foreign(word)));
      assertTrue(told.isPresent() || !state.open() && !state.drains());
      assertTrue(state.share() >= 0);
      assertEquals(state.open(), state.why().isEmpty());
      assertTrue(state.open() || state.share() == 0);
    }
  }

  @Test
  void anyHoldIsAHoldAndAnyConsentThatCannotBeReadIsNone() {
    XattrRecord<Hold> holds = new XattrRecord<>("user.x", Hold::parse);
    XattrRecord<MoveConsent> consents = new XattrRecord<>("user.x", MoveConsent::parse);
    for (int i = 0; i < CASES; i++) {
      byte[] value =
          text.next(
                  "v1 somebody, today", "v1 given wal=ALL_SSD meta=HOT;", "v1 waiting a=b;7 files")
              .getBytes(StandardCharsets.UTF_8);
      read(holds, value).ifPresent(one -> assertNotNull(one.reason()));
      read(consents, value).ifPresent(one -> assertNotNull(one.waiting()));
    }
  }

  /** As long as HDFS takes an xattr: a pattern that calls itself for each part needs its stack. */
  private static final int LONGEST = 16_384;

  @Test
  void nodesThatWereLeftOutAreReadOrAreNone() {
    XattrRecord<ExcludedNodes> record = new XattrRecord<>("user.x", ExcludedNodes::parse);
    for (int i = 0; i < CASES; i++) {
      byte[] value =
          text.next("v1", "v1 dn1:9866 dn2.example.org:9866", "v1 [::1]:9866 a:b:1")
              .getBytes(StandardCharsets.UTF_8);
      read(record, value).ifPresent(one -> assertNotNull(one.addresses()));
    }
    for (String part : List.of(" a:1", " a:1:1", ":1", " ", " " + "x".repeat(299), " a:1x")) {
      String parts = part.repeat((LONGEST - 2) / part.length());
      read(record, ("v1" + parts).getBytes(StandardCharsets.UTF_8));
      read(record, ("v1" + parts + "!").getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void anAnswerThatIsNoneTellsNoSpace() {
    String right =
        "{\"beans\":[{\"name\":\"x\",\"State\":\"active\",\"StorageTypeStats\":["
            + "{\"key\":\"DISK\",\"value\":{\"capacityTotal\":3}},"
            + "{\"key\":\"SSD\",\"value\":{\"capacityRemaining\":20,\"capacityTotal\":30,"
            + "\"capacityUsed\":10,\"nodesInService\":3}}]}]}";
    int told = 0;
    for (int i = 0; i < CASES; i++) {
      String answer = text.next(right, right.replace("30", text.next("30")));
      assertNotNull(Jmx.attribute(answer, "State"));
      Optional<SsdSpace> space = SsdSpace.of(answer);
      told += space.isPresent() ? 1 : 0;
      space.ifPresent(
          one -> {
            assertTrue(one.freePercent() >= 0 && one.freePercent() <= 100, one::toString);
            assertTrue(one.nodesWithSpace(1) >= 0 && one.nodesWithSpace(Long.MAX_VALUE) >= 0);
            assertTrue(one.used() >= 0 && one.remaining() >= 0 && one.capacity() >= 0);
          });
    }
    assertTrue(told > CASES / 20, "too few came through: " + told);
  }

  @Test
  void everyErrorIsExplained() {
    for (int i = 0; i < CASES; i++) {
      String message =
          text.next(
              "File /x could only be written to 0 of the 1 minReplication nodes. There are 3"
                  + " datanode(s) running and 3 node(s) are excluded in this operation.",
              "The DiskSpace quota is exceeded",
              "Cannot create file. Name node is in safe mode.");
      String type =
          text.next(
              "java.io.IOException",
              "org.apache.hadoop.hdfs.protocol.QuotaByStorageTypeExceededException",
              "org.apache.hadoop.hdfs.server.namenode.SafeModeException");
      for (Throwable error :
          List.of(
              new java.io.IOException(message),
              new java.io.IOException(null, new IllegalStateException(message)),
              new org.apache.hadoop.ipc.RemoteException(type, message))) {
        HdfsError told = HdfsError.of(error);
        assertNotNull(told.kind());
        assertNotNull(told.toString());
      }
    }
  }
}
