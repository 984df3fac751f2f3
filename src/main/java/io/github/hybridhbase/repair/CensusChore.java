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
package io.github.hybridhbase.repair;

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.Listed;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.metrics.HybridMetrics;
import io.github.hybridhbase.metrics.HybridMetrics.Metric;
import io.github.hybridhbase.placement.Component;
import io.github.hybridhbase.placement.HybridSettings;
import io.github.hybridhbase.placement.Layout;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What {@code audit} and {@code apply} do to files, on the active master, for ever: reads where
 * every replica is and has misplaced closed files moved. Directories are the {@link
 * DirectoryKeeper}'s, on a thread of its own with the guard. Keeps nothing between two turns but
 * what it has said. One thread at a time.
 */
@InterfaceAudience.Private
public final class CensusChore {
  private static final Logger LOG = LoggerFactory.getLogger(CensusChore.class);

  /** Tells which files the landing looks after at this time. */
  @InterfaceAudience.Private
  public interface Landed {
    /** These; asked once a turn. */
    LandedFiles get() throws IOException;
  }

  private final Layout layout;
  private final HybridSettings settings;
  private final DirectoryKeeper.Namespaces roots;
  private final Census.Namespaces namespaces;
  private final BooleanSupplier stopped;
  private final Landed landed;
  private String said = "";

  /**
   * Makes a chore.
   *
   * @param roots tells whether a hold stands
   * @param stopped asked before each file; the turn ends early once it says true
   */
  public CensusChore(
      Layout layout,
      HybridSettings settings,
      DirectoryKeeper.Namespaces roots,
      Census.Namespaces namespaces,
      Landed landed,
      BooleanSupplier stopped) {
    this.landed = landed;
    this.layout = layout;
    this.settings = settings;
    this.roots = roots;
    this.namespaces = namespaces;
    this.stopped = stopped;
  }

  /**
   * One turn.
   *
   * @return files that HDFS was asked to move; 0 while a hold stands
   * @throws IOException where HDFS does not answer; the next turn starts anew
   */
  public long doWork() throws IOException {
    if (roots.held()) {
      return 0;
    }
    // As it is now, so that what the guard keeps on DISK is not moved to SSD.
    List<Found> found = new Inspection(layout, namespaces).look(settings, false);
    Expectation expectation = Expectation.of(settings, false, found).sparing(landed.get());
    Survey survey = new Survey(expectation, 0);
    Moves moves = new Moves(expectation::of, this::satisfy, settings.moveRate(), () -> !mustEnd());
    new Census(layout, namespaces, this::mustEnd, 0).walk(new Both(survey, moves));
    report(survey, moves);
    return moves.asked();
  }

  /** The hold is asked for again before each move, since a turn may take long. */
  private void satisfy(Path file) throws IOException {
    if (roots.held()) {
      throw new FileNotFoundException(file + " is held");
    }
    StorageNamespace namespace =
        namespaces.of(file).orElseThrow(() -> new FileNotFoundException(file.toString()));
    namespace.satisfy(file);
    HybridMetrics.get().count(Metric.MOVES_ASKED);
  }

  private boolean mustEnd() {
    return stopped.getAsBoolean() || Thread.currentThread().isInterrupted();
  }

  private void report(Survey survey, Moves moves) {
    if (mustEnd()) {
      return;
    }
    HybridMetrics.get().count(Metric.CENSUSES);
    long misplaced = 0;
    for (Component component : Component.values()) {
      misplaced += survey.closed(component).misplacedBytes();
    }
    HybridMetrics.get().misplacedBytes(misplaced);
    if (moves.asked() > 0) {
      LOG.info(
          "Of {} files {} lay on the wrong medium; HDFS was asked to move {}",
          survey.files(),
          moves.files(),
          moves.asked());
    }
    String trouble = moves.files() > 0 ? moves.trouble().orElse("") : "";
    if (!trouble.equals(said)) {
      said = trouble;
      if (!trouble.isEmpty()) {
        LOG.warn("{} files lie on the wrong medium. {}", moves.files(), trouble);
      }
    }
  }

  /** Shows each file to both. */
  private static final class Both implements Census.Visitor {
    private final Survey survey;
    private final Moves moves;

    Both(Survey survey, Moves moves) {
      this.survey = survey;
      this.moves = moves;
    }

    @Override
    public void visit(Component component, FileBlocks file) {
      survey.visit(component, file);
    }

    @Override
    public void file(Place place, FileBlocks file) throws IOException {
      survey.file(place, file);
      moves.file(place, file);
    }

    @Override
    public void directory(Place place, Listed directory) {
      survey.directory(place, directory);
    }

    @Override
    public void unreadable(Path directory, AccessControlException e) {
      survey.unreadable(directory, e);
    }
  }
}
