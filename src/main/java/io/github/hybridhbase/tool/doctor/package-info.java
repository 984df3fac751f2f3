/**
 * What {@code doctor} looks at and how it judges: {@link
 * io.github.hybridhbase.tool.doctor.FactFinder} reads facts, the checks are pure functions of them,
 * {@link io.github.hybridhbase.tool.doctor.Diagnosis} collects their findings.
 *
 * <p>Rule: a fact that could not be read is unknown, never fine.
 */
package io.github.hybridhbase.tool.doctor;
