/**
 * The verbs {@code enable} and {@code disable}: the plugin's properties in a site file. Entry:
 * {@link io.github.hybridhbase.tool.site.SwitchVerb}.
 *
 * <p>Rule: the text is edited, never written anew from a parsed document, and Hadoop must read the
 * result as intended. Nothing is written without {@code --write}.
 */
package io.github.hybridhbase.tool.site;
