/**
 * The command line. Entry: {@link HybridTool} and its verbs.
 *
 * <p>Rule: verbs read, pass the facts to pure functions and print the results. A stack trace is
 * printed only with {@code --debug}. {@code enable} and {@code disable} edit the text of a site
 * file and never write it anew from a parsed document; Hadoop must read the result as intended.
 * Nothing is written without {@code --write}.
 */
package io.github.hybridhbase.tool;
