package loose;

import com.netflix.spectator.api.Id;
import com.netflix.spectator.api.NoopRegistry;
import com.netflix.spectator.atlas.impl.Parser;
import com.netflix.spectator.atlas.impl.Query;
import com.netflix.spectator.atlas.impl.QueryIndex;

/** Pull request 1148: one thread looks for matches in the index, while the other one removes and adds a query. */
public final class Atlas {
    private Atlas() {
    }

    public static void main(String[] args) throws Exception {
        QueryIndex<String> index = QueryIndex.newInstance(new NoopRegistry());
        Query query = Parser.parseQuery("key,:has");
        index.add(query, "value");
        Id id = Id.create("name").withTag("key", "a");
        Both.run(1000, round -> index.findMatches(id), round -> {
            index.remove(query, "value");
            index.add(query, "value");
        });
    }
}
