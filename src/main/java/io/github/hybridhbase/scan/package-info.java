/**
 * Where the replicas are. Entry: {@link io.github.hybridhbase.scan.BlockScanner} walks HBase's
 * files, {@link io.github.hybridhbase.scan.ScanChore} does so on the active master and asks HDFS to
 * move closed files that are misplaced. {@link io.github.hybridhbase.scan.Expectation} says which
 * policy a file should follow, {@link io.github.hybridhbase.scan.NewFileVerifier} reads new store
 * files back.
 *
 * <p>Rule: memory does not grow with the namespace; what this user may not read is named, not
 * guessed; existing data is not moved unasked.
 */
package io.github.hybridhbase.scan;
