package subjects;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Clients of a bank on the in-memory H2 database: transfers, new accounts, queries. {@code size} is the number of
 * operations of each client. The client's number determines its operations, and transfers commute, so the final
 * balances depend on the number of clients but not on the schedule; they are compared with balances computed in plain
 * arrays.
 */
final class Bank implements Workload {
    private static final String URL = "jdbc:h2:mem:bank;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000";
    private static final int ACCOUNTS = 500;
    private static final int BRANCHES = 20;
    private static final int START = 1000;

    /** One operation of a client. */
    private static final class Operation {
        /** Out of 100: below 50 a transfer, below 60 a new account, otherwise a query. */
        final int kind;
        final int from;
        final int to;
        final int amount;

        Operation(SplittableRandom random) {
            kind = random.nextInt(100);
            from = random.nextInt(ACCOUNTS);
            to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
            amount = 1 + random.nextInt(50);
        }

        boolean isTransfer() {
            return kind < 50;
        }

        boolean isOpening() {
            return kind >= 50 && kind < 60;
        }
    }

    @Override
    public String run(int threads, int size) throws Exception {
        try (Connection connection = DriverManager.getConnection(URL)) {
            create(connection);
            Team.round("client", threads, number -> serve(number, size));
            return check(connection, threads, size);
        }
    }

    private static SplittableRandom randomOf(int client) {
        return new SplittableRandom(client + 1L);
    }

    private static void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            // Of the round before.
            statement.execute("DROP ALL OBJECTS");
            statement.execute("CREATE TABLE account(id INT PRIMARY KEY, branch INT NOT NULL, balance BIGINT NOT NULL)");
            statement.execute("CREATE INDEX by_branch ON account(branch)");
            statement.execute("CREATE TABLE history(client INT, number INT, amount INT, PRIMARY KEY(client, number))");
        }
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO account VALUES(?, ?, ?)")) {
            for (int id = 0; id < ACCOUNTS; id++) {
                open(insert, id, START);
            }
        }
    }

    private static void open(PreparedStatement insert, int id, int balance) throws SQLException {
        insert.setInt(1, id);
        insert.setInt(2, id % BRANCHES);
        insert.setLong(3, balance);
        insert.executeUpdate();
    }

    /** One client's work, on its own connection. */
    private static void serve(int client, int size) throws SQLException {
        SplittableRandom random = randomOf(client);
        try (Connection connection = DriverManager.getConnection(URL);
            PreparedStatement update = connection.prepareStatement("UPDATE account SET balance = balance + ? WHERE id = ?");
            PreparedStatement note = connection.prepareStatement("INSERT INTO history VALUES(?, ?, ?)");
            PreparedStatement insert = connection.prepareStatement("INSERT INTO account VALUES(?, ?, ?)");
            PreparedStatement one = connection.prepareStatement("SELECT balance FROM account WHERE id = ?");
            PreparedStatement branch = connection.prepareStatement("SELECT COUNT(*), SUM(balance) FROM account WHERE branch = ?")) {
            connection.setAutoCommit(false);
            for (int i = 0; i < size; i++) {
                Operation operation = new Operation(random);
                if (operation.isTransfer()) {
                    transfer(update, operation);
                    note(note, client, i, operation.amount);
                } else if (operation.isOpening()) {
                    open(insert, ACCOUNTS + client * size + i, operation.amount);
                } else if (operation.kind < 98) {
                    ask(one, operation.from);
                } else {
                    ask(branch, operation.from % BRANCHES);
                }
                connection.commit();
            }
        }
    }

    /** Locks the account with the lower number first, so that two transfers never deadlock. */
    private static void transfer(PreparedStatement update, Operation operation) throws SQLException {
        boolean isUpward = operation.from < operation.to;
        add(update, isUpward ? operation.from : operation.to, isUpward ? -operation.amount : operation.amount);
        add(update, isUpward ? operation.to : operation.from, isUpward ? operation.amount : -operation.amount);
    }

    private static void add(PreparedStatement update, int id, int amount) throws SQLException {
        update.setInt(1, amount);
        update.setInt(2, id);
        update.executeUpdate();
    }

    private static void note(PreparedStatement note, int client, int number, int amount) throws SQLException {
        note.setInt(1, client);
        note.setInt(2, number);
        note.setInt(3, amount);
        note.executeUpdate();
    }

    private static void ask(PreparedStatement query, int key) throws SQLException {
        query.setInt(1, key);
        try (ResultSet result = query.executeQuery()) {
            if (!result.next()) {
                throw new SQLException("no row for " + key);
            }
        }
    }

    private static String check(Connection connection, int threads, int size) throws SQLException, WrongResult {
        long[] balances = new long[ACCOUNTS];
        Arrays.fill(balances, START);
        int transfers = 0;
        int openings = 0;
        for (int client = 0; client < threads; client++) {
            SplittableRandom random = randomOf(client);
            for (int i = 0; i < size; i++) {
                Operation operation = new Operation(random);
                if (operation.isTransfer()) {
                    balances[operation.from] -= operation.amount;
                    balances[operation.to] += operation.amount;
                    transfers++;
                } else if (operation.isOpening()) {
                    openings++;
                }
            }
        }
        try (Statement statement = connection.createStatement()) {
            ResultSet rows = statement.executeQuery("SELECT id, balance FROM account WHERE id < " + ACCOUNTS);
            int seen = 0;
            for (; rows.next(); seen++) {
                if (rows.getLong(2) != balances[rows.getInt(1)]) {
                    throw new WrongResult("account " + rows.getInt(1) + " has " + rows.getLong(2) + ", not " + balances[rows.getInt(1)]);
                }
            }
            expect("first accounts", ACCOUNTS, seen);
            expect("accounts", ACCOUNTS + openings, count(statement, "account"));
            expect("transfers", transfers, count(statement, "history"));
        }
        return transfers + " transfers, " + openings + " new accounts, all balances right";
    }

    private static void expect(String what, int expected, int found) throws WrongResult {
        if (expected != found) {
            throw new WrongResult(what + ": " + found + ", not " + expected);
        }
    }

    private static int count(Statement statement, String table) throws SQLException {
        try (ResultSet result = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
            result.next();
            return result.getInt(1);
        }
    }
}
