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
 * Clients of a bank in a database in memory: transfers, new accounts, queries. {@code size} is the number of
 * operations of each client. The client's number determines its operations, and transfers commute, so the final
 * balances depend on the number of clients but not on the schedule; they are compared with balances computed in plain
 * arrays.
 */
final class Bank implements Workload {
    private static final int ACCOUNTS = 500;
    private static final int BRANCHES = 20;
    private static final int START = 1000;

    private static final String[] TABLES = {"account", "history"};

    private final String url;

    /** The database is {@code h2} or {@code hsqldb}. */
    Bank(String database) throws ClassNotFoundException {
        boolean isH2 = database.equals("h2");
        // Old drivers do not announce themselves.
        Class.forName(isH2 ? "org.h2.Driver" : "org.hsqldb.jdbcDriver");
        url = isH2 ? "jdbc:h2:mem:bank;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000" : "jdbc:hsqldb:mem:bank";
    }

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
        try (Connection connection = connect()) {
            create(connection);
            Team.round("client", threads, number -> serve(number, size));
            String result = check(connection, threads, size);
            drop(connection);
            return result;
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(url, "sa", "");
    }

    private static SplittableRandom randomOf(int client) {
        return new SplittableRandom(client + 1L);
    }

    private static void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE account(id INT NOT NULL PRIMARY KEY, branch INT NOT NULL, balance BIGINT NOT NULL)");
            statement.execute("CREATE INDEX by_branch ON account(branch)");
            statement.execute("CREATE TABLE history(client INT NOT NULL, number INT NOT NULL, amount INT, PRIMARY KEY(client, number))");
        }
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO account VALUES(?, ?, ?)")) {
            for (int id = 0; id < ACCOUNTS; id++) {
                open(insert, id, START);
            }
        }
    }

    /** Leaves nothing for the next round. */
    private static void drop(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String table : TABLES) {
                statement.execute("DROP TABLE " + table);
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
    private void serve(int client, int size) throws SQLException {
        SplittableRandom random = randomOf(client);
        try (Connection connection = connect();
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
            WrongResult.unless(ACCOUNTS, seen, "first accounts");
            WrongResult.unless(ACCOUNTS + openings, count(statement, TABLES[0]), "accounts");
            WrongResult.unless(transfers, count(statement, TABLES[1]), "transfers");
        }
        return transfers + " transfers, " + openings + " new accounts, all balances right";
    }

    private static int count(Statement statement, String table) throws SQLException {
        try (ResultSet result = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
            result.next();
            return result.getInt(1);
        }
    }
}
