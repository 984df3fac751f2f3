/**
 * Where the plugin talks to HDFS, but for the WALs' own writers and what ArchitectureTest names:
 * storage policies, xattrs, block locations, probe blocks, SSD space, requests to move blocks, and
 * what HDFS's errors mean. Entry: {@link io.github.hybridhbase.hdfs.StorageNamespace}; the rest of
 * the plugin decides on the values that come out of it.
 *
 * <p>Rule: it reports and carries out; it decides nothing about placement.
 */
package io.github.hybridhbase.hdfs;
