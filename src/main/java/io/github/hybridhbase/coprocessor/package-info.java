/**
 * HBase's hooks. Thin: they hand over to {@link io.github.hybridhbase.repair} and decide nothing.
 *
 * <p>Rule of this room: no exception of ours ever leaves a hook, and no hook waits for HDFS on a
 * handler thread.
 */
package io.github.hybridhbase.coprocessor;
