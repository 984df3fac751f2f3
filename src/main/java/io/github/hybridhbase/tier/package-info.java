/**
 * The SSD tier: young store files are on SSD within a budget, old ones on DISK. {@link
 * io.github.hybridhbase.tier.HybridStoreEngine} and {@link io.github.hybridhbase.tier.SsdTier}
 * place a RegionServer's own new files ({@link io.github.hybridhbase.tier.TierDecision}) and have
 * old ones moved ({@link io.github.hybridhbase.tier.DrainPlan}); {@link
 * io.github.hybridhbase.tier.TierController} on the active master opens and closes the tier.
 *
 * <p>Rule: whatever fails in here, the file is written as stock HBase would write it.
 */
package io.github.hybridhbase.tier;
