package online;

import org.apache.logging.log4j.Marker;
import org.apache.logging.log4j.MarkerManager;

/** LOG4J2-3159: the parents of a marker are tested and then copied, and another thread removes the last one in between. */
public final class Markers {
    private Markers() {
    }

    public static void main(String[] args) throws Exception {
        Marker parent = MarkerManager.getMarker("PARENT");
        Marker marker = MarkerManager.getMarker("CHILD").setParents(parent);
        Race.run(() -> marker.getParents().length, () -> marker.remove(parent));
    }
}
