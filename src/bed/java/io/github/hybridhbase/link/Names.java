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
package io.github.hybridhbase.link;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;
import org.objectweb.asm.Type;

/** Class files' names as people write them. */
@InterfaceAudience.Private
final class Names {
  private Names() {}

  /** {@code a/b/C$D} as {@code a.b.C$D}. */
  static String type(String internal) {
    return internal.replace('/', '.');
  }

  /** {@code a.b.C.m(List, boolean): int}, or {@code a.b.C.f: int}. */
  static String member(String owner, String name, String descriptor) {
    String arguments =
        descriptor.startsWith("(")
            ? Arrays.stream(Type.getArgumentTypes(descriptor))
                .map(Names::brief)
                .collect(Collectors.joining(", ", "(", ")"))
            : "";
    Type type =
        descriptor.startsWith("(") ? Type.getReturnType(descriptor) : Type.getType(descriptor);
    return type(owner) + "." + name + arguments + ": " + brief(type);
  }

  /** A type without its package. */
  private static String brief(Type type) {
    String name = type.getClassName();
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** A generic signature, its types without packages: {@code ()LMap<LString;LLong;>;}. */
  static String signature(String signature) {
    return signature.replaceAll("([LT])(?:[\\w$]+/)+", "$1");
  }

  /** The simple name of the outermost class, which is the name of its file. */
  static String file(String internal) {
    String simple = internal.substring(internal.lastIndexOf('/') + 1);
    int nested = simple.indexOf('$');
    return nested < 0 ? simple : simple.substring(0, nested);
  }
}
