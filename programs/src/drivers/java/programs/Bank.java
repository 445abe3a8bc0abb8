package programs;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.SplittableRandom;

/** Clients of a database that book amounts, ask for balances and join tables, each on a connection of its own. */
public final class Bank {
    private static final int ACCOUNTS = 200;
    private static final int BRANCHES = 10;

    private Bank() {
    }

    /** The arguments are clients, bookings of each, and the address of the database. */
    public static void main(String[] arguments) throws Exception {
        int bookings = Integer.parseInt(arguments[1]);
        String url = arguments[2];
        try (Connection connection = DriverManager.getConnection(url)) {
            create(connection);
            Team.print(Integer.parseInt(arguments[0]), client -> serve(url, client, bookings));
            print(connection, "SELECT COUNT(*), SUM(amount) FROM booking");
            print(connection, "SELECT a.branch, COUNT(*), SUM(b.amount) FROM booking b JOIN account a ON a.id = b.account"
                + " GROUP BY a.branch ORDER BY a.branch");
            print(connection, "SELECT SUM(balance), MIN(balance), MAX(balance) FROM account");
        }
    }

    private static void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE account(id INTEGER PRIMARY KEY, branch INTEGER NOT NULL, balance BIGINT NOT NULL)");
            statement.execute("CREATE TABLE booking(client INTEGER, number INTEGER, account INTEGER, amount INTEGER, PRIMARY KEY(client, number))");
            statement.execute("CREATE INDEX by_account ON booking(account)");
        }
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO account VALUES(?, ?, 1000)")) {
            for (int id = 0; id < ACCOUNTS; id++) {
                set(insert, id, id % BRANCHES);
                insert.executeUpdate();
            }
        }
    }

    private static Object serve(String url, int client, int bookings) throws SQLException {
        SplittableRandom random = new SplittableRandom(client + 1L);
        int rows = 0;
        try (Connection connection = DriverManager.getConnection(url);
            PreparedStatement update = connection.prepareStatement("UPDATE account SET balance = balance + ? WHERE id = ?");
            PreparedStatement insert = connection.prepareStatement("INSERT INTO booking VALUES(?, ?, ?, ?)");
            PreparedStatement own = connection.prepareStatement("SELECT number, amount FROM booking WHERE client = ? AND number >= ? ORDER BY number DESC");
            PreparedStatement branch = connection.prepareStatement("SELECT COUNT(*) FROM account WHERE branch = ?")) {
            connection.setAutoCommit(false);
            for (int i = 0; i < bookings; i++) {
                int account = random.nextInt(ACCOUNTS);
                int amount = random.nextInt(100) - 40;
                set(update, amount, account);
                update.executeUpdate();
                set(insert, client, i, account, amount);
                insert.executeUpdate();
                connection.commit();
                rows += ask(own, client, i - 5);
                rows += ask(branch, random.nextInt(BRANCHES));
                connection.commit();
            }
        }
        return rows + " rows seen";
    }

    private static void set(PreparedStatement statement, int... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setInt(i + 1, values[i]);
        }
    }

    private static int ask(PreparedStatement query, int... keys) throws SQLException {
        set(query, keys);
        int rows = 0;
        try (ResultSet result = query.executeQuery()) {
            while (result.next()) {
                rows++;
            }
        }
        return rows;
    }

    private static void print(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement(); ResultSet result = statement.executeQuery(query)) {
            while (result.next()) {
                StringBuilder line = new StringBuilder();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    line.append(i == 1 ? "" : " ").append(result.getLong(i));
                }
                System.out.println(line);
            }
        }
    }
}
