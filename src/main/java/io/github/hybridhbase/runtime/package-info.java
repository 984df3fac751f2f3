/**
 * What any part of a server needs: metrics, threads, back-off, logging once per change, and the
 * guard around hooks. Entry: {@link io.github.hybridhbase.runtime.HybridMetrics}, which declares
 * each metric once; {@link io.github.hybridhbase.runtime.Failures} guards hooks.
 *
 * <p>Rule: imports no other package of the plugin; counting takes no lock.
 */
package io.github.hybridhbase.runtime;
