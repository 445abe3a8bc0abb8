package online;

import com.netflix.spectator.api.Id;
import com.netflix.spectator.api.NoopRegistry;
import com.netflix.spectator.atlas.impl.Parser;
import com.netflix.spectator.atlas.impl.Query;
import com.netflix.spectator.atlas.impl.QueryIndex;

/** Pull request 1148: a part of the index is tested and then used, and another thread removes it in between. */
public final class Atlas {
    private Atlas() {
    }

    public static void main(String[] args) throws Exception {
        QueryIndex<String> index = QueryIndex.newInstance(new NoopRegistry());
        Query query = Parser.parseQuery("key,:has");
        index.add(query, "value");
        Id id = Id.create("name").withTag("key", "a");
        Race.run(() -> index.findMatches(id), () -> index.remove(query, "value"));
    }
}
