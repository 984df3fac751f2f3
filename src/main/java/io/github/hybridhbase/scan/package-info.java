/**
 * Block locations. Entry: {@link BlockScanner} walks HBase's files; {@link ScanChore} runs on the
 * active master. {@link Expectation} gives the policy by which a file's media are judged.
 *
 * <p>Rule: memory is independent of the namespace's size; unreadable directories are reported.
 */
package io.github.hybridhbase.scan;
