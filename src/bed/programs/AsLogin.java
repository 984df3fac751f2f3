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
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;

/** Runs a class as somebody with a keytab: {@code java AsLogin.java PRINCIPAL KEYTAB CLASS …}. */
class AsLogin {
  private AsLogin() {}

  public static void main(String[] words) throws Exception {
    UserGroupInformation.setConfiguration(new Configuration());
    UserGroupInformation.loginUserFromKeytab(words[0], words[1]);
    Class.forName(words[2])
        .getMethod("main", String[].class)
        .invoke(null, (Object) Arrays.copyOfRange(words, 3, words.length));
  }
}
