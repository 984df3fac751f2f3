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
package io.github.hybridhbase.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.link.ServerOfLine;
import io.github.hybridhbase.testing.Line;
import io.github.hybridhbase.tier.HybridStoreEngine;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** On every line the store engine overrides the commit of store files that HBase calls there. */
class CommitFormOfOtherLinesTest {
  static List<Line> lines() throws IOException {
    return Line.all().stream().filter(Line::isWhole).collect(Collectors.toList());
  }

  @ParameterizedTest
  @MethodSource("lines")
  void everyFormOfTheCommitIsOverridden(Line line) throws Exception {
    try (ServerOfLine other = ServerOfLine.of(line)) {
      Class<?> ours = other.loadClass(HybridStoreEngine.class.getName());
      List<Method> forms =
          Arrays.stream(other.loadClass(StoreEngine.class.getName()).getDeclaredMethods())
              .filter(method -> method.getName().equals("commitStoreFiles"))
              .collect(Collectors.toList());
      assertFalse(forms.isEmpty());
      for (Method form : forms) {
        Method own = ours.getMethod(form.getName(), form.getParameterTypes());
        assertEquals(ours, own.getDeclaringClass(), form.toString());
      }
      Class<?> form = other.loadClass(CommitForm.class.getName());
      assertTrue((boolean) form.getMethod("isKnown").invoke(null));
    }
  }
}
