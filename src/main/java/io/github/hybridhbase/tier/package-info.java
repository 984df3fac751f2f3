/**
 * The SSD tier: young store files on SSD within a budget, old ones on DISK. Entry: {@link
 * io.github.hybridhbase.tier.TierDecision} chooses the medium of a new file for {@link
 * io.github.hybridhbase.tier.HybridStoreEngine} and {@link io.github.hybridhbase.tier.SsdTier};
 * {@link io.github.hybridhbase.tier.drain.DrainPlan} chooses what leaves SSD. The active master
 * opens and closes the tier ({@code space.TierController}).
 *
 * <p>Rule: on any failure here the file is written as by stock HBase.
 */
package io.github.hybridhbase.tier;
