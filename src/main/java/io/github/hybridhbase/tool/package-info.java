/**
 * The command line. Entry: {@link io.github.hybridhbase.tool.HybridTool} and its verbs.
 *
 * <p>Rule: verbs read, pass the facts to pure functions and print the results. A stack trace is
 * printed only with {@code --debug}.
 */
package io.github.hybridhbase.tool;
