/**
 * What every verb works with. Entry: {@link io.github.hybridhbase.tool.cli.Session}, the cluster
 * that a verb looks at; beside it exit codes, options, progress and Ctrl-C.
 *
 * <p>Rule: ends within seconds where the cluster does not answer.
 */
package io.github.hybridhbase.tool.cli;
