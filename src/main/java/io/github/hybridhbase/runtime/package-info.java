/**
 * What any part of a server needs: the operator's declarations, metrics, threads, back-off, logging
 * once per change, and the guard around hooks. Entry: {@link HybridSettings}, the configuration as
 * one immutable value, whose keys {@link HybridKeys} declares; {@link Layout}, the directories of
 * each component; {@link Metric} and {@link HybridMetrics}, which declare and count; {@link
 * Failures}, which guards hooks.
 *
 * <p>Rule: imports no other package of the plugin; counting takes no lock. Reading settings never
 * throws, does no I/O and knows no cluster: errors are collected, and safe values replace invalid
 * ones.
 */
package io.github.hybridhbase.runtime;
