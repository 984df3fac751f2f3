/**
 * Access to HDFS, except by the WALs' own writers and the classes that ArchitectureTest lists:
 * storage policies, xattrs, block locations, probe blocks, SSD space, move requests, and the
 * meaning of HDFS's errors. Entry: {@link io.github.hybridhbase.hdfs.StorageNamespace}; the rest of
 * the plugin decides on the values it returns.
 *
 * <p>Rule: reports and executes; decides nothing about placement.
 */
package io.github.hybridhbase.hdfs;
