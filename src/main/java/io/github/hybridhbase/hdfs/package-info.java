/**
 * Access to HDFS, except by the classes that ArchitectureTest lists: storage policies, xattrs,
 * block locations, probe blocks, SSD space, move requests, and the meaning of HDFS's errors. Entry:
 * {@link StorageNamespace}.
 *
 * <p>Rule: reports and executes; decides nothing about placement.
 */
package io.github.hybridhbase.hdfs;
