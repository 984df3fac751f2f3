/**
 * HBase's hooks. Entry: {@link HybridMasterObserver} and {@link HybridRegionObserver}, which only
 * delegate.
 *
 * <p>Rule: no exception of the plugin leaves a hook; no hook waits for HDFS on a handler thread.
 */
package io.github.hybridhbase.coprocessor;
