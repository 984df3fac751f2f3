/**
 * The command line: {@code audit}, {@code doctor}, {@code apply}, {@code revert}.
 *
 * <p>Rules of this room: verbs read, hand the facts to pure functions and print what these say.
 * Names that come from a cluster are escaped before they reach a terminal. No stack trace reaches a
 * user who did not ask for it with {@code --debug}.
 */
package io.github.hybridhbase.tool;
