/**
 * The operator's declarations. Entry: {@link io.github.hybridhbase.config.HybridSettings}, the
 * configuration as one immutable value. {@link io.github.hybridhbase.config.HybridKeys} declares
 * each key once, with default and range; {@link io.github.hybridhbase.config.Layout} has the
 * directories of each component.
 *
 * <p>Rule: reading never throws, does no I/O and knows no cluster. Errors are collected, and
 * defaults replace invalid values.
 */
package io.github.hybridhbase.config;
