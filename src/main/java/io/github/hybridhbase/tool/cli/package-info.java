/**
 * The common context of verbs. Entry: {@link Session}, the cluster that a verb reads; also exit
 * codes, options, progress and Ctrl-C.
 *
 * <p>Rule: ends within seconds if the cluster does not respond.
 */
package io.github.hybridhbase.tool.cli;
