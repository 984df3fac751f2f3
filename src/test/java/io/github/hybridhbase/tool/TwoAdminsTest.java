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
package io.github.hybridhbase.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.Hold;
import io.github.hybridhbase.hdfs.MoveConsent;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.placement.DirectoryEnforcer;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.tool.cli.Session;
import io.github.hybridhbase.tool.cli.Stop;
import io.github.hybridhbase.tool.cli.Verb;
import io.github.hybridhbase.tool.cli.Verb.Exit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hbase.thirdparty.org.apache.commons.cli.DefaultParser;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/**
 * Two admins at the same time, and a master that places by itself: orders of their calls by a seed,
 * some of them killed before any of their calls.
 */
@InterfaceAudience.Private
class TwoAdminsTest {
  private static final int ORDERS = Integer.getInteger("hybrid.orders", 2_000);
  private static final Path ROOT = new Path("/hbase");
  private static final long SEED = Long.getLong("hybrid.seed", new Random().nextInt());

  /** The server or the command is gone. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  /** One of them, on a thread of its own that runs only while it is its turn. */
  private abstract class Actor extends Thread {
    private final Semaphore turn = new Semaphore(0);
    private final Semaphore back = new Semaphore(0);
    private int calls;
    private int dies = Integer.MAX_VALUE;
    private int holds = -1;
    private int done;
    private boolean ended;
    private Throwable failure;
    int lastWrite = -1;

    abstract void act() throws Exception;

    @Override
    public void run() {
      turn.acquireUninterruptibly();
      try {
        act();
      } catch (Killed e) {
        // as was decided
      } catch (Throwable e) {
        failure = e;
      }
      ended = true;
      back.release();
    }

    void before(String method) {
      if (calls-- <= 0) {
        back.release();
        turn.acquireUninterruptibly();
        calls--;
      }
      if (done == holds) {
        holdNow();
      }
      if (done++ >= dies) {
        throw new Killed();
      }
      now++;
      if (method.startsWith("set")
          || method.startsWith("write")
          || method.startsWith("remove")
          || method.startsWith("restore")
          || method.startsWith("satisfy")) {
        lastWrite = now;
      }
      if (method.equals("write " + Hold.RECORD)) {
        heldAt = now;
      }
      if (method.equals("remove " + Hold.RECORD)) {
        liftedAt = now;
      }
    }

    void goOn(int some) {
      calls = some;
      turn.release();
      back.acquireUninterruptibly();
    }

    boolean killed() {
      return done > dies;
    }
  }

  /** A command of an admin's. */
  private final class Admin extends Actor {
    private final Verb verb;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private int exit = -1;

    Admin(Verb verb) {
      this.verb = verb;
    }

    @Override
    void act() throws Exception {
      Session session =
          Session.over(
              seenBy(this),
              conf,
              layout,
              new PrintStream(out, true, StandardCharsets.UTF_8),
              new Stop());
      exit =
          verb.run(
              session, new DefaultParser().parse(verb.options(), new String[] {"--rate", "9"}));
    }

    @Override
    public String toString() {
      return verb.name() + " " + exit + "\n" + out.toString(StandardCharsets.UTF_8);
    }
  }

  private final Configuration conf = new Configuration(false);
  private final Layout layout = new Layout(ROOT, ROOT);
  private final List<DirectoryRule> rules = layout.rules(HybridSettings.read(conf));
  private FakeNamespace hdfs;
  private int now;
  private int heldAt;
  private int liftedAt;

  private void holdNow() {
    try {
      hdfs.write(Hold.RECORD, ROOT, new Hold("revert by somebody else"));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private Namespaces seenBy(Actor actor) {
    StorageNamespace seen =
        (StorageNamespace)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {StorageNamespace.class},
                (proxy, method, arguments) -> {
                  actor.before(FakeNamespace.call(method, arguments));
                  try {
                    return method.invoke(hdfs, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    return FakeNamespace.namespaces(seen, ROOT);
  }

  private Actor master() {
    return new Actor() {
      @Override
      void act() {
        DirectoryEnforcer enforcer = new DirectoryEnforcer(seenBy(this), 0, false);
        for (int turn = 0; turn < 3; turn++) {
          enforcer.place(rules);
        }
      }
    };
  }

  private void alone(Actor actor) {
    actor.start();
    while (!actor.ended) {
      actor.goOn(Integer.MAX_VALUE);
    }
    assertEquals(null, actor.failure);
  }

  private void begin(boolean held) throws IOException {
    hdfs = new FakeNamespace().with("/hbase", 0);
    rules.forEach(rule -> hdfs.with(rule.path().toUri().getPath(), 0));
    hdfs.file("/hbase/oldWALs/a", 10, StorageType.SSD, StorageType.SSD, StorageType.SSD);
    hdfs.with("/hbase/archive", StoragePolicy.COLD.id());
    if (held) {
      hdfs.write(Hold.RECORD, ROOT, new Hold("revert by a test"));
    } else {
      alone(new Admin(new ApplyVerb()));
    }
  }

  private boolean held() throws IOException {
    return !hdfs.read(Hold.RECORD, ROOT).isAbsent();
  }

  /** What differs from the one of the two intended states that the hold tells. */
  private String wrong() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (DirectoryRule rule : rules) {
      String path = rule.path().toUri().getPath();
      if (path.equals("/hbase/archive")) {
        if (hdfs.own(path) != StoragePolicy.COLD.id()) {
          wrong.add("the admin's own policy was lost");
        }
        continue;
      }
      byte own = hdfs.policy(rule.path()).get().effective();
      boolean recorded = hdfs.provenanceOf(path).isPresent();
      if (held() ? own != StoragePolicy.UNSPECIFIED || recorded : own != rule.policy().id()) {
        wrong.add(path + " " + StoragePolicy.describe(own) + (recorded ? " recorded" : ""));
      }
    }
    if (held()
        && hdfs.read(MoveConsent.RECORD, ROOT).read().filter(MoveConsent::given).isPresent()) {
      wrong.add("consent under a hold");
    }
    return String.join(", ", wrong);
  }

  private void order(long seed) throws Exception {
    Random random = new Random(seed);
    begin(random.nextBoolean());
    now = 0;
    heldAt = 0;
    liftedAt = 0;
    boolean mixed = random.nextInt(4) > 0;
    List<Admin> admins =
        mixed
            ? List.of(new Admin(new ApplyVerb()), new Admin(new RevertVerb()))
            : random.nextBoolean()
                ? List.of(new Admin(new ApplyVerb()), new Admin(new ApplyVerb()))
                : List.of(new Admin(new RevertVerb()), new Admin(new RevertVerb()));
    List<Actor> live = new ArrayList<>(admins);
    if (random.nextBoolean()) {
      live.add(master());
    }
    boolean kills = random.nextInt(3) == 0;
    if (kills) {
      live.get(random.nextInt(live.size())).dies = random.nextInt(250);
    }
    live.forEach(Thread::start);
    int burst = 1 << random.nextInt(8);
    while (!live.isEmpty()) {
      Actor next = live.get(random.nextInt(live.size()));
      next.goOn(random.nextInt(burst));
      assertEquals(null, next.failure, "seed " + seed);
      live.removeIf(actor -> actor.ended);
    }
    String context = "seed " + seed + " held " + held() + " " + admins;
    boolean killed = admins.stream().anyMatch(Actor::killed);
    if (killed) {
      Admin again = new Admin(random.nextBoolean() ? new RevertVerb() : new ApplyVerb());
      alone(again);
      assertEquals(Exit.FINE, again.exit, context + again);
    }
    alone(master());
    assertEquals("", wrong(), context);
    for (Admin admin : admins) {
      boolean apply = admin.verb.name().equals("apply");
      if (mixed && !killed && admin.exit == Exit.FINE && held() == apply) {
        // It was done, and undone after its last write.
        assertTrue(admin.lastWrite < (apply ? heldAt : liftedAt), context);
      }
      assertTrue(!mixed || killed || admin.exit == Exit.FINE || held() == apply, context);
    }
  }

  /** The other admin's whole revert falls between two calls of apply's, wherever that is. */
  @Test
  void aHoldBeforeAnyCallOfApplyLeavesNothingOfItAndIsItsExitCode() throws Exception {
    int calls = Integer.MAX_VALUE;
    int gaveWay = 0;
    for (int at = 0; at < calls; at++) {
      begin(true);
      Admin apply = new Admin(new ApplyVerb());
      ((Actor) apply).holds = at;
      alone(apply);
      calls = ((Actor) apply).done;
      String context = "hold before call " + at + " of " + calls + ": " + apply;
      assertEquals(held() ? Exit.FINDINGS : Exit.FINE, apply.exit, context);
      assertEquals("", wrong(), context);
      if (held()) {
        gaveWay++;
        assertTrue(apply.toString().contains("Somebody reverted meanwhile"), context);
      }
      calls = held() ? Integer.MAX_VALUE : at > 20 ? at : calls;
    }
    assertTrue(gaveWay > 100, "holds that apply gave way to: " + gaveWay);
  }

  @Test
  void theStateIsOneOfTheTwoIntendedOnesAndTheExitCodeIsTrue() throws Exception {
    System.out.println("TwoAdminsTest: -Dhybrid.seed=" + SEED);
    for (int i = 0; i < ORDERS; i++) {
      order(SEED + i);
    }
  }
}
