/**
 * Access to HDFS, except by the classes that ArchitectureTest lists: storage policies, xattrs,
 * block locations, probe blocks, SSD space, and the meaning of HDFS's errors. Entry: {@link
 * StorageNamespace}, and {@link NewFiles} for files that are created under a policy.
 *
 * <p>Rule: reports and executes; decides nothing about placement.
 */
package io.github.hybridhbase.hdfs;
