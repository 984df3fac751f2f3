/**
 * The SSD tier: young store files, and those of hot rows, on SSD within a budget. Entry: {@link
 * TierQuota} chooses the medium of a new file for {@link HybridStoreEngine} and {@link SsdTier};
 * {@link Leavers} chooses what leaves SSD, {@link SsdTier} requests it of HBase's own queue, and
 * {@link TierCompaction} selects it. The active master opens and closes the tier ({@code
 * placement.TierController}). {@link WritePressure} decides how long write calls are delayed while
 * a region or the server approaches the memory at which HBase refuses writes; {@link WriteDelay}
 * reads a region, {@link WriteCalls} delays the server's calls.
 *
 * <p>Rule: on any failure here the file is written as by stock HBase. A delay reads HBase's memory
 * only and takes no lock.
 */
package io.github.hybridhbase.tier;
