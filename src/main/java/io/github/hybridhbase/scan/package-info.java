/**
 * Where replicas are: {@link io.github.hybridhbase.scan.BlockScanner} walks HBase's directories,
 * {@link io.github.hybridhbase.scan.ScanReport} adds up, {@link
 * io.github.hybridhbase.scan.MisplacedFileMover} asks HDFS to move closed files, {@link
 * io.github.hybridhbase.scan.NewFileVerifier} reads new store files back.
 *
 * <p>Rule: memory does not grow with the namespace; what this user may not read is named, not
 * guessed.
 */
package io.github.hybridhbase.scan;
