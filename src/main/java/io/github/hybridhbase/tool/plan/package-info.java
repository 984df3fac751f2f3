/**
 * The computation of the verb {@code plan}: the SSD that HBase's system components need, its cost
 * compared with all HDD and all SSD, and the properties to set. Entry: {@link
 * io.github.hybridhbase.tool.plan.PlanReport}.
 *
 * <p>Rule: pure functions lead from {@link io.github.hybridhbase.tool.plan.Workload} to {@link
 * io.github.hybridhbase.tool.plan.SsdNeed} and {@link
 * io.github.hybridhbase.tool.plan.Prices.Costs}. Nothing is written.
 */
package io.github.hybridhbase.tool.plan;
