/**
 * What any part of a server needs: the operator's declarations, metrics, threads, back-off, logging
 * once per change, and the guard around hooks. Entry: {@link
 * io.github.hybridhbase.runtime.HybridSettings}, the configuration as one immutable value, whose
 * keys {@link io.github.hybridhbase.runtime.HybridKeys} declares; {@link
 * io.github.hybridhbase.runtime.Layout}, the directories of each component; {@link
 * io.github.hybridhbase.runtime.HybridMetrics}, which declares each metric once; {@link
 * io.github.hybridhbase.runtime.Failures}, which guards hooks.
 *
 * <p>Rule: imports no other package of the plugin; counting takes no lock. Reading settings never
 * throws, does no I/O and knows no cluster: errors are collected, and defaults replace invalid
 * values.
 */
package io.github.hybridhbase.runtime;
