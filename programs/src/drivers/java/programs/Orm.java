package programs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.persistence.CascadeType;
import javax.persistence.Entity;
import javax.persistence.EntityManager;
import javax.persistence.EntityManagerFactory;
import javax.persistence.FetchType;
import javax.persistence.Id;
import javax.persistence.ManyToOne;
import javax.persistence.OneToMany;
import javax.persistence.Persistence;

/** An implementation of JPA over a database in memory: threads that store graphs of objects and query them. */
public final class Orm {
    private Orm() {
    }

    /** The arguments are threads and transactions of each. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        Map<String, String> properties = Map.of("javax.persistence.jdbc.url", "jdbc:h2:mem:orm;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000");
        EntityManagerFactory factory = Persistence.createEntityManagerFactory("programs", properties);
        Team.print(Integer.parseInt(arguments[0]), number -> {
            long found = 0;
            for (int i = 0; i < size; i++) {
                int id = number * size + i + 1;
                inTransaction(factory, manager -> {
                    manager.persist(new Order(id, 4));
                    return 0L;
                });
                found += inTransaction(factory, manager -> {
                    Order order = manager.find(Order.class, Long.valueOf(id));
                    order.note = "checked " + id;
                    return (long) order.lines.size();
                });
                found += inTransaction(factory, manager -> manager.createQuery(
                    "select count(l) from Line l where l.parent.id = :id and l.amount > 1", Long.class)
                    .setParameter("id", (long) id).getSingleResult());
            }
            return found + " found";
        });
        EntityManager manager = factory.createEntityManager();
        List<Object[]> sums = manager.createQuery("select l.amount, count(l), sum(l.parent.id) from Line l group by l.amount order by l.amount", Object[].class).getResultList();
        sums.forEach(row -> System.out.println(row[0] + ": " + row[1] + " lines, " + row[2]));
        manager.close();
        factory.close();
    }

    private interface Unit {
        long run(EntityManager manager);
    }

    private static long inTransaction(EntityManagerFactory factory, Unit unit) {
        EntityManager manager = factory.createEntityManager();
        try {
            manager.getTransaction().begin();
            long result = unit.run(manager);
            manager.getTransaction().commit();
            return result;
        } finally {
            manager.close();
        }
    }

    /** Has lines. */
    @Entity(name = "Purchase")
    public static class Order {
        @Id
        private Long id;
        private String note;
        @OneToMany(mappedBy = "parent", cascade = CascadeType.ALL, fetch = FetchType.LAZY)
        private List<Line> lines = new ArrayList<>();

        /** For JPA. */
        protected Order() {
        }

        Order(long id, int count) {
            this.id = id;
            for (int i = 0; i < count; i++) {
                lines.add(new Line(id * count + i, this, i));
            }
        }

        /** What was noted. */
        public String note() {
            return note;
        }
    }

    /** Belongs to an order. */
    @Entity(name = "Line")
    public static class Line {
        @Id
        private Long id;
        private int amount;
        @ManyToOne(fetch = FetchType.LAZY)
        private Order parent;

        /** For JPA. */
        protected Line() {
        }

        Line(long id, Order parent, int amount) {
            this.id = id;
            this.parent = parent;
            this.amount = amount;
        }

        /** Its number. */
        public Long id() {
            return id;
        }
    }
}
