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
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A program of Phoenix's: {@code java PhoenixClient.java URL create|write|read FROM TO}. It writes
 * rows FROM to TO, or reads rows 0 to TO through the table and through both of its indexes.
 */
class PhoenixClient {
  private static final int COLOURS = 7;
  private static final int SIZES = 50;
  private static final int BATCH = 100;

  private PhoenixClient() {}

  public static void main(String[] words) throws SQLException {
    int from = Integer.parseInt(words[2]);
    int to = Integer.parseInt(words[3]);
    try (Connection connection = DriverManager.getConnection(words[0]);
        Statement statement = connection.createStatement()) {
      if (words[1].equals("create")) {
        create(statement);
      } else if (words[1].equals("write")) {
        write(connection, from, to);
      } else {
        read(statement, to);
      }
    }
    System.out.println("done: " + words[1] + " " + from + " to " + to);
  }

  private static void create(Statement statement) throws SQLException {
    statement.execute(
        "CREATE TABLE THINGS (ID BIGINT NOT NULL PRIMARY KEY, COLOUR VARCHAR, SIZE INTEGER,"
            + " NOTE VARCHAR) SALT_BUCKETS = 4");
    statement.execute("CREATE INDEX BY_COLOUR ON THINGS (COLOUR) INCLUDE (SIZE)");
    statement.execute("CREATE LOCAL INDEX BY_SIZE ON THINGS (SIZE)");
  }

  private static void write(Connection connection, int from, int to) throws SQLException {
    connection.setAutoCommit(false);
    try (PreparedStatement row =
        connection.prepareStatement("UPSERT INTO THINGS VALUES (?, ?, ?, ?)")) {
      for (int id = from; id < to; id++) {
        row.setLong(1, id);
        row.setString(2, "c" + id % COLOURS);
        row.setInt(3, id % SIZES);
        row.setString(4, "note of " + id);
        row.execute();
        if (id % BATCH == BATCH - 1) {
          connection.commit();
        }
      }
      connection.commit();
    }
  }

  private static void read(Statement statement, int rows) throws SQLException {
    String sum = "SELECT COUNT(*), SUM(ID) FROM THINGS";
    String hint = "SELECT /*+ NO_INDEX */ COUNT(*), SUM(ID) FROM THINGS";
    expect(statement, hint + " WHERE NOTE LIKE 'note of %'", "THINGS", rows, 0, 1);
    for (int colour = 0; colour < COLOURS; colour++) {
      expect(
          statement, sum + " WHERE COLOUR = 'c" + colour + "'", "BY_COLOUR", rows, colour, COLOURS);
    }
    for (int size = 0; size < SIZES; size++) {
      expect(statement, sum + " WHERE SIZE = " + size, "BY_SIZE", rows, size, SIZES);
    }
  }

  /** Rows first, first + step, …: how many there are, and what their keys add up to. */
  private static void expect(
      Statement statement, String query, String through, int rows, int first, int step)
      throws SQLException {
    long count = 0;
    long sum = 0;
    for (int id = first; id < rows; id += step) {
      count++;
      sum += id;
    }
    StringBuilder plan = new StringBuilder();
    try (ResultSet lines = statement.executeQuery("EXPLAIN " + query)) {
      while (lines.next()) {
        plan.append(lines.getString(1)).append('\n');
      }
    }
    try (ResultSet answer = statement.executeQuery(query)) {
      answer.next();
      String found = answer.getLong(1) + " rows, sum " + answer.getLong(2);
      String wanted = count + " rows, sum " + sum;
      if (plan.indexOf(through) < 0 || !found.equals(wanted)) {
        throw new IllegalStateException(
            query + ": " + found + ", not " + wanted + " through " + through + ":\n" + plan);
      }
    }
  }
}
