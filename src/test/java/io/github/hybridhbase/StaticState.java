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
package io.github.hybridhbase;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;

/** Tells a static field that is a constant from one that holds what changes. */
@InterfaceAudience.Private
final class StaticState {
  /** Collections that cannot change, or by an enum, where Java has no other. */
  private static final Pattern IMMUTABLE =
      Pattern.compile("java\\.util\\.(ImmutableCollections|Collections\\$(Unmod|Empty)|.*Enum).*");

  private StaticState() {}

  /** Why a static field is no constant; empty where it is one. */
  static Optional<String> of(Field field) {
    String name = field.getDeclaringClass().getSimpleName() + "." + field.getName();
    if (!Modifier.isFinal(field.getModifiers())) {
      return Optional.of(name + " is not final");
    }
    return changing(read(field, null)).map(what -> name + " holds " + what);
  }

  private static Object read(Field field, Object of) {
    try {
      field.setAccessible(true);
      return field.get(of);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  /** The type of what may change within a value; empty where nothing may. */
  private static Optional<String> changing(Object value) {
    if (value == null
        || value instanceof CharSequence
        || value instanceof Number
        || value instanceof Boolean
        || value instanceof Character
        || value instanceof Enum
        || value instanceof Class
        || value instanceof Pattern
        || value instanceof Logger
        || value instanceof VarHandle
        || value instanceof MethodHandle
        || value instanceof Comparator
        || value instanceof Path
        || value instanceof Gson
        || value instanceof Duration
        || value instanceof FsPermission
        || value.getClass().isArray()) { // of constants; none is written to
      return Optional.empty();
    }
    Class<?> type = value.getClass();
    if (IMMUTABLE.matcher(type.getName()).matches()) {
      return Optional.empty();
    }
    if (!type.getName().startsWith("io.github.hybridhbase")) {
      return Optional.of(type.getSimpleName());
    }
    return ofFields(value, type);
  }

  /** Of an object of ours, a lambda included. */
  private static Optional<String> ofFields(Object value, Class<?> type) {
    for (Field field : type.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers())) {
        Optional<String> found =
            Modifier.isFinal(field.getModifiers())
                ? changing(read(field, value))
                : Optional.of(type.getSimpleName());
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }
}
