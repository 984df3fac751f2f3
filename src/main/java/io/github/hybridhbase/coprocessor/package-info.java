/**
 * HBase's hooks. Entry: {@link io.github.hybridhbase.coprocessor.HybridMasterObserver} and {@link
 * io.github.hybridhbase.coprocessor.HybridRegionObserver}. They hand over to the packages below and
 * decide nothing.
 *
 * <p>Rule: no exception of the plugin's leaves a hook, and no hook waits for HDFS on a handler
 * thread.
 */
package io.github.hybridhbase.coprocessor;
