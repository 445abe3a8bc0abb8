package programs;

import java.util.List;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;
import org.apache.ibatis.datasource.pooled.PooledDataSource;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;

/** MyBatis over a database in memory: threads that use a mapper. */
public final class MyBatis {
    private MyBatis() {
    }

    /** The arguments are threads and sessions of each. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        PooledDataSource source = new PooledDataSource("org.h2.Driver", "jdbc:h2:mem:mybatis;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000", "", "");
        Configuration configuration = new Configuration(new Environment("programs", new JdbcTransactionFactory(), source));
        configuration.addMapper(Notes.class);
        SqlSessionFactory factory = new SqlSessionFactoryBuilder().build(configuration);
        try (SqlSession session = factory.openSession(true)) {
            session.getMapper(Notes.class).create();
        }
        Team.print(Integer.parseInt(arguments[0]), number -> {
            Digest digest = new Digest();
            for (int i = 0; i < size; i++) {
                try (SqlSession session = factory.openSession()) {
                    Notes notes = session.getMapper(Notes.class);
                    notes.add(new Note(number * size + i, number, "note " + i));
                    digest.add(notes.of(number, number * size + i - 3));
                    session.commit();
                }
            }
            return digest;
        });
        try (SqlSession session = factory.openSession()) {
            System.out.println(session.getMapper(Notes.class).count() + " notes");
        }
        source.forceCloseAll();
    }

    /** The statements. */
    public interface Notes {
        /** Makes the table. */
        @Update("create table note(id int primary key, author int, text varchar(100))")
        void create();

        /** Adds one. */
        @Insert("insert into note values(#{id}, #{author}, #{text})")
        void add(Note note);

        /** The latest of an author. */
        @Select("<script>select * from note where author = #{author} <if test='from > 0'>and id >= #{from}</if> order by id limit 5</script>")
        List<Note> of(@Param("author") int author, @Param("from") int from);

        /** How many there are. */
        @Select("select count(*) from note")
        int count();
    }

    /** A row. */
    public static final class Note {
        private int id;
        private int author;
        private String text;

        /** For MyBatis. */
        public Note() {
        }

        Note(int id, int author, String text) {
            this.id = id;
            this.author = author;
            this.text = text;
        }

        /** Its number. */
        public int getId() {
            return id;
        }

        /** Who wrote it. */
        public int getAuthor() {
            return author;
        }

        /** What it says. */
        public String getText() {
            return text;
        }

        @Override
        public String toString() {
            return id + " " + author + " " + text;
        }
    }
}
