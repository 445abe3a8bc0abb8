package loose;

import org.apache.logging.log4j.Marker;
import org.apache.logging.log4j.MarkerManager;

/** LOG4J2-3159: one thread asks a marker for its parents, while the other one removes and adds one. */
public final class Markers {
    private Markers() {
    }

    public static void main(String[] args) throws Exception {
        Marker parent = MarkerManager.getMarker("PARENT");
        Marker marker = MarkerManager.getMarker("CHILD").addParents(parent);
        Both.run(1000, round -> marker.getParents(), round -> {
            marker.remove(parent);
            marker.addParents(parent);
        });
    }
}
