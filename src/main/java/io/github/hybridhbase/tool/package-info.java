/**
 * The command line. Entry: {@link io.github.hybridhbase.tool.HybridTool} and its verbs.
 *
 * <p>Rule: verbs read, hand the facts to pure functions and print what these say. No stack trace
 * reaches a user who did not ask for it with {@code --debug}.
 */
package io.github.hybridhbase.tool;
