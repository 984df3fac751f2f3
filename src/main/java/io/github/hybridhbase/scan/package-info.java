/**
 * Block locations. Entry: {@link BlockScanner} walks HBase's files; {@link ScanChore} runs on the
 * active master and requests moves of misplaced closed files. {@link Expectation} gives the policy
 * that a file should follow.
 *
 * <p>Rule: memory is independent of the namespace's size; unreadable directories are reported;
 * existing data moves only with consent.
 */
package io.github.hybridhbase.scan;
