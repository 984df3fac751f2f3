/** What the plugin counts, each metric declared once. */
package io.github.hybridhbase.metrics;
