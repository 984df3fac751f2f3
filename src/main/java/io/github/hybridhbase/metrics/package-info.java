/**
 * What the plugin counts, each metric declared once in {@link
 * io.github.hybridhbase.metrics.HybridMetrics}.
 *
 * <p>Rule: knows no other package of the plugin, and counting takes no lock.
 */
package io.github.hybridhbase.metrics;
