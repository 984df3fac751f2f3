/**
 * Metrics. Entry: {@link io.github.hybridhbase.metrics.HybridMetrics}, which declares each metric
 * once.
 *
 * <p>Rule: imports no other package of the plugin; counting takes no lock.
 */
package io.github.hybridhbase.metrics;
