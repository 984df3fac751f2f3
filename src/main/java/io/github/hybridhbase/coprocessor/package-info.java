/**
 * HBase's hooks. Thin: they hand over to the packages below and decide nothing.
 *
 * <p>Rule: no exception of the plugin's ever leaves a hook, and no hook waits for HDFS on a handler
 * thread.
 */
package io.github.hybridhbase.coprocessor;
