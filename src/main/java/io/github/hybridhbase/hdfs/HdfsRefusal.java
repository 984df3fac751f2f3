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
package io.github.hybridhbase.hdfs;

import java.util.Locale;
import org.apache.hadoop.security.AccessControlException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Why HDFS would not let the plugin place, and what remedies it: a pure function of the exception.
 */
@InterfaceAudience.Private
public final class HdfsRefusal {
  private HdfsRefusal() {}

  /** One sentence on the cause and one on the remedy. */
  public static String explain(Exception e) {
    String said = FirstLine.of(e);
    String text = said.toLowerCase(Locale.ROOT);
    if (text.contains("dfs.storage.policy.enabled")) {
      return "HDFS has storage policies disabled. Set dfs.storage.policy.enabled=true on the"
          + " NameNode. ("
          + said
          + ")";
    }
    if (e instanceof AccessControlException && text.contains("superuser")) {
      return "HDFS reserves storage policies to the superuser. Set"
          + " dfs.storage.policy.permissions.superuser-only=false on the NameNode, or run"
          + " 'hdfs storagepolicies -setStoragePolicy' as its superuser. ("
          + said
          + ")";
    }
    if (e instanceof AccessControlException) {
      return "HBase's user may not write there, which setting a policy needs. Give it WRITE with"
          + " 'hdfs dfs -chown' or '-chmod'. ("
          + said
          + ")";
    }
    if (text.contains("safe mode")) {
      return "The NameNode is in safe mode; this is tried again when it has left it. ("
          + said
          + ")";
    }
    return "HDFS would not do it; this is tried again. (" + said + ")";
  }

  /** Whether the NameNode refuses because it keeps no xattrs. */
  public static boolean noXattrs(Exception e) {
    return String.valueOf(e.getMessage()).contains("dfs.namenode.xattrs.enabled");
  }
}
