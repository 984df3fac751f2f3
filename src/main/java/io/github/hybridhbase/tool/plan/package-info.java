/**
 * The verb {@code plan}: how much SSD HBase's system components need, what that costs against all
 * HDD and all SSD, and the properties to set. Entry: {@link
 * io.github.hybridhbase.tool.plan.PlanVerb}.
 *
 * <p>Rule: {@link io.github.hybridhbase.tool.plan.Workload} goes in, {@link
 * io.github.hybridhbase.tool.plan.SsdNeed} and {@link io.github.hybridhbase.tool.plan.Costs} come
 * out, and what lies between are pure functions. Nothing is written but a site file, when asked.
 */
package io.github.hybridhbase.tool.plan;
