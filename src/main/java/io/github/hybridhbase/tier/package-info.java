/**
 * The SSD tier: young store files on SSD within a budget, old ones on DISK. Entry: {@link
 * io.github.hybridhbase.tier.TierDecision} chooses the medium of a new file for {@link
 * io.github.hybridhbase.tier.HybridStoreEngine} and {@link io.github.hybridhbase.tier.SsdTier};
 * {@link io.github.hybridhbase.tier.DrainPlan} chooses what leaves SSD; {@link
 * io.github.hybridhbase.tier.TierController} on the active master opens and closes the tier.
 *
 * <p>Rule: on any failure here the file is written as by stock HBase.
 */
package io.github.hybridhbase.tier;
