/**
 * What the operator declares: every key with its default and its range, read once into {@link
 * io.github.hybridhbase.config.HybridSettings}, and the words that values are made of, {@link
 * io.github.hybridhbase.config.Component} and {@link io.github.hybridhbase.config.StoragePolicy}.
 *
 * <p>Rule: immutable values. Reading never throws, does no I/O and knows no cluster.
 */
package io.github.hybridhbase.config;
