/**
 * What the operator declares. Entry: {@link io.github.hybridhbase.config.HybridSettings}, the
 * configuration as one immutable value. Every key is declared once, in {@link
 * io.github.hybridhbase.config.HybridKeys}, with its default and its range.
 *
 * <p>Rule: reading never throws, does no I/O and knows no cluster. What is wrong is collected, and
 * the default is in force in its place.
 */
package io.github.hybridhbase.config;
