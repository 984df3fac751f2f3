/**
 * What the plugin counts. Entry: {@link io.github.hybridhbase.metrics.HybridMetrics}, where each
 * metric is declared once.
 *
 * <p>Rule: knows no other package of the plugin, and counting takes no lock.
 */
package io.github.hybridhbase.metrics;
