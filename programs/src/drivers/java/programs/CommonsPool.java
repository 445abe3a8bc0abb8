package programs;

import java.util.SplittableRandom;
import org.apache.commons.pool2.BaseKeyedPooledObjectFactory;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericKeyedObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPool;

/** Commons Pool: threads that borrow from a pool with fewer objects than threads, and from one with keys. */
public final class CommonsPool {
    private CommonsPool() {
    }

    /** The arguments are threads and borrowings of each. */
    public static void main(String[] arguments) throws Exception {
        int threads = Integer.parseInt(arguments[0]);
        int borrowings = Integer.parseInt(arguments[1]);
        try (GenericObjectPool<Cell> pool = new GenericObjectPool<>(new Cells());
            GenericKeyedObjectPool<Integer, Cell> keyed = new GenericKeyedObjectPool<>(new KeyedCells())) {
            pool.setMaxTotal(threads - 1);
            pool.setTestOnReturn(true);
            keyed.setMaxTotalPerKey(threads - 1);
            Team.print(threads, number -> {
                SplittableRandom random = new SplittableRandom(number);
                for (int i = 0; i < borrowings; i++) {
                    Cell cell = pool.borrowObject();
                    cell.uses++;
                    pool.returnObject(cell);
                    int key = random.nextInt(3);
                    Cell other = keyed.borrowObject(key);
                    other.uses++;
                    keyed.returnObject(key, other);
                }
                return borrowings + " borrowings";
            });
            System.out.println(pool.getBorrowedCount() + " and " + keyed.getBorrowedCount() + " borrowed, " + pool.getNumActive() + " and "
                + keyed.getNumActive() + " not returned");
        }
    }

    private static final class Cell {
        int uses;
    }

    private static final class Cells extends BasePooledObjectFactory<Cell> {
        @Override
        public Cell create() {
            return new Cell();
        }

        @Override
        public PooledObject<Cell> wrap(Cell cell) {
            return new DefaultPooledObject<>(cell);
        }
    }

    private static final class KeyedCells extends BaseKeyedPooledObjectFactory<Integer, Cell> {
        @Override
        public Cell create(Integer key) {
            return new Cell();
        }

        @Override
        public PooledObject<Cell> wrap(Cell cell) {
            return new DefaultPooledObject<>(cell);
        }
    }
}
