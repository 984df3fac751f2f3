/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.hybridhbase.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** The page is well-formed whatever the names in it are, and says what the picture has. */
@InterfaceAudience.Private
class PageRendererTest {
  private static final String[] MARKUP =
      ("</style> <script>alert(1)</script> <!-- --> ]]> <![CDATA[ <?xml &lt; &#0; javascript: \r\n"
              + " \u001b[31m \ud83d\ude00 onload=alert(1) ${jndi:ldap://x} /hbase/data")
          .split(" ");

  /** Of markup; controls; what has no width; halves of letters. */
  private static final String LETTERS =
      " <>&\"'`=/\\%\u0000\u0007\t\u202e\u200b\u2028\ufeff\uffff\ud800\udc00\u00e9";

  private static String render(PlacementSnapshot snapshot) {
    return PageRenderer.render(PlacementReport.of(snapshot));
  }

  private static Document parse(String html) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setExpandEntityReferences(false);
    DocumentBuilder builder = factory.newDocumentBuilder();
    builder.setEntityResolver((publicId, systemId) -> new InputSource(new StringReader("")));
    builder.setErrorHandler(null);
    return builder.parse(new InputSource(new StringReader(html)));
  }

  private static List<Element> elements(Document page) {
    NodeList list = page.getElementsByTagName("*");
    return IntStream.range(0, list.getLength())
        .mapToObj(i -> (Element) list.item(i))
        .collect(Collectors.toList());
  }

  /** Tags with the names of their attributes: what a hostile text must not change. */
  private static List<String> shape(Document page) {
    List<String> shape = new ArrayList<>();
    for (Element element : elements(page)) {
      shape.add(element.getTagName());
      NamedNodeMap attributes = element.getAttributes();
      for (int i = 0; i < attributes.getLength(); i++) {
        shape.add(attributes.item(i).getNodeName());
      }
    }
    return shape;
  }

  @Test
  void noTextChangesTheShapeOfThePage() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<String> plain = shape(parse(render(Pictures.of("plain"))));
    for (int round = 0; round < 100; round++) {
      StringBuilder nasty = new StringBuilder();
      int pieces = 1 + random.nextInt(4);
      for (int i = 0; i < pieces; i++) {
        nasty.append(MARKUP[random.nextInt(MARKUP.length)]);
        nasty.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
      }
      String page = render(Pictures.of(nasty.toString()));
      assertEquals(plain, shape(parse(page)), () -> "seed " + seed + ": " + nasty);
      page.codePoints()
          .forEach(
              c ->
                  assertTrue(
                      c == '\n' || !Character.isISOControl(c) && c != 0x202e && c != 0x200b,
                      () -> "seed " + seed + ": " + Integer.toHexString(c)));
    }
  }

  @Test
  void theSizeHasABound() {
    for (String each : new String[] {"&", "\u0000", "\ud83d\ude00", "\udbff\udfff", "x"}) {
      for (int length : new int[] {1, Html.LONGEST, 10_000}) {
        int chars = render(Pictures.of(each.repeat(length))).length();
        assertTrue(chars < PageRenderer.MOST_CHARS, each + " " + length + ": " + chars);
      }
    }
  }

  /** What is shown of 300 servers in trouble, and of findings of 3,000 tables, has a bound. */
  @Test
  void aLargeClusterInTroubleFitsAndWhatIsLeftOutIsCounted() throws Exception {
    String page = render(Pictures.large(300, 3_000));
    assertTrue(page.length() < 60_000, () -> page.length() + " characters");
    for (String more : List.of("And 2970 more: ", "And 270 more: ")) {
      assertTrue(page.contains(more + "&#39;hbase-hybrid check&#39; lists all."), page);
    }
  }

  @Test
  void itLoadsOnlyFromItsServer() throws Exception {
    Set<String> links = new HashSet<>();
    for (Element element : elements(parse(render(Pictures.of("plain"))))) {
      links.add(element.getAttribute("src"));
      links.add(element.getAttribute("href"));
      assertFalse(element.getTagName().equals("script"));
      assertFalse(element.hasAttribute("style"));
    }
    assertEquals(Set.of("", "/hybrid", "/master-status", "/static/css/bootstrap.min.css"), links);
  }
}
