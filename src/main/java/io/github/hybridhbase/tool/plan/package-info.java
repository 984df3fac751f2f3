/**
 * The computation of the verb {@code plan}: what set-ups cost that serve a demand, and which to
 * buy. Entry: {@link Verdict}.
 *
 * <p>Rule: pure functions lead from {@link Demand} to {@link Setup} and {@link Verdict}. Nothing is
 * written.
 */
package io.github.hybridhbase.tool.plan;
