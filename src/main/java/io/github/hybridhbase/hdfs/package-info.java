/**
 * The only room that talks to HDFS: policies, marks, block locations, probes.
 *
 * <p>{@link io.github.hybridhbase.hdfs.StorageNamespace} is its one door. Everything else in the
 * plugin decides on the values that come out of it.
 */
package io.github.hybridhbase.hdfs;
