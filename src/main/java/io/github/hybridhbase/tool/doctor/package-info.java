/**
 * Facts and checks of {@code doctor}. Entry: {@link Doctor}; {@link FactFinder} reads the facts,
 * and the checks are pure functions of them.
 *
 * <p>Rule: a fact that could not be read is unknown, never fine.
 */
package io.github.hybridhbase.tool.doctor;
