/**
 * The computation of the verb {@code plan}: the SSD that HBase's system components need, its cost
 * compared with all HDD and all SSD, and the properties to set. Entry: {@link PlanReport}.
 *
 * <p>Rule: pure functions lead from {@link Workload} to {@link SsdNeed} and {@link Prices.Costs}.
 * Nothing is written.
 */
package io.github.hybridhbase.tool.plan;
