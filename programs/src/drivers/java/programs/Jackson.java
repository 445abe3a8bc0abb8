package programs;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Jackson: threads that write and read objects through one mapper. */
public final class Jackson {
    private Jackson() {
    }

    /** The arguments are threads and objects of each. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        ObjectMapper mapper = new ObjectMapper();
        Team.print(Integer.parseInt(arguments[0]), number -> {
            Digest digest = new Digest();
            for (int i = 0; i < size; i++) {
                String text = mapper.writeValueAsString(new Person(number * size + i, 3));
                Person person = mapper.readValue(text, Person.class);
                JsonNode tree = mapper.readTree(text);
                digest.add(mapper.writeValueAsString(person)).add(tree.path("children").size()).add(tree.at("/tags/a").asText());
            }
            return digest;
        });
    }

    /** The objects that are written and read. */
    public static final class Person {
        /** Its number. */
        public int id;
        /** Its name. */
        @JsonProperty("full_name")
        public String name;
        /** A map. */
        public Map<String, Object> tags = new TreeMap<>();
        /** Others. */
        public List<Person> children;

        /** For Jackson. */
        public Person() {
        }

        Person(int id, int depth) {
            this.id = id;
            name = "person \"" + id + "\"";
            tags.put("a", id * 0.5);
            tags.put("b", List.of("x", id));
            children = depth == 0 ? List.of() : List.of(new Person(id + 1, depth - 1), new Person(id + 2, depth - 1));
        }
    }
}
