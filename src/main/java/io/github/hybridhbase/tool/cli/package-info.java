/**
 * What every verb works with: the session with its cluster, exit codes, options, progress, and
 * Ctrl-C.
 *
 * <p>Rule: ends within seconds where the cluster does not answer.
 */
package io.github.hybridhbase.tool.cli;
