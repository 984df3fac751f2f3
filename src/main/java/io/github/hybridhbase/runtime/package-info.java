/**
 * What any part of a server needs: metrics, threads, back-off, logging once per change, and the
 * guard around hooks. Entries: {@link io.github.hybridhbase.runtime.HybridMetrics}, which declares
 * each metric once, and {@link io.github.hybridhbase.runtime.Failures}.
 *
 * <p>Rule: imports no other package of the plugin; counting takes no lock.
 */
package io.github.hybridhbase.runtime;
