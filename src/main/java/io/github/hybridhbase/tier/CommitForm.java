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
package io.github.hybridhbase.tier;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * HBase's form of committing store files: some lines (e.g. 2.6.1) have {@code
 * commitStoreFiles(List, boolean)} instead of the form compiled against. Thread-safe.
 */
@InterfaceAudience.Private
public final class CommitForm {
  private static final String NAME = "commitStoreFiles";

  private static final List<Class<?>> SHORT = List.of(List.class, boolean.class);
  private static final List<Class<?>> LONG = List.of(List.class, boolean.class, boolean.class);

  private CommitForm() {}

  /**
   * Callable as {@code super}; null if HBase lacks it.
   *
   * @param caller lookup of the overriding class
   */
  public static MethodHandle shortForm(MethodHandles.Lookup caller) {
    try {
      return caller.findSpecial(
          StoreEngine.class, NAME, MethodType.methodType(List.class, SHORT), caller.lookupClass());
    } catch (ReflectiveOperationException | LinkageError e) {
      return null;
    }
  }

  /** If false the tier would never see a commit, so it serves no store. */
  public static boolean isKnown() {
    return Arrays.stream(StoreEngine.class.getMethods())
        .filter(method -> method.getName().equals(NAME))
        .map(method -> List.of(method.getParameterTypes()))
        .anyMatch(form -> form.equals(SHORT) || form.equals(LONG));
  }

  @SuppressWarnings("unchecked")
  public static List<HStoreFile> run(
      MethodHandle form, StoreEngine<?, ?, ?, ?> engine, List<Path> files, boolean validate)
      throws IOException {
    try {
      return (List<HStoreFile>) form.invoke(engine, files, validate);
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable t) { // the method declares no other
      throw new IOException(t);
    }
  }
}
