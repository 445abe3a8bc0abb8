package kernels.raytracer;

/** Follows rays through a scene; each thread has one, with a scene of its own. */
final class Tracer {
    private static final int DEEPEST = 4;
    private static final Vec DARK = new Vec(0, 0, 0);
    private static final double AMBIENT = 0.1;
    private static final double SHINE = 20;

    private final Scene scene;
    /** What the last call of {@link #meets} found. */
    private Sphere nearest;
    private double distance;

    Tracer(Scene scene) {
        this.scene = scene;
    }

    /** The colour that comes from where a ray goes. */
    Vec trace(Ray ray, int depth) {
        if (!meets(ray)) {
            return DARK;
        }
        Sphere sphere = nearest;
        Vec place = ray.at(distance);
        Vec normal = sphere.normal(place);
        Vec bounced = normal.mirrored(ray.direction);
        Vec light = sphere.colour.times(AMBIENT);
        for (int i = 0; i < scene.lamps.length; i++) {
            light = light.plus(shade(sphere, place, normal, bounced, scene.lamps[i]));
        }
        return depth == DEEPEST ? light : light.plus(trace(new Ray(place, bounced), depth + 1).times(sphere.mirror));
    }

    /** What a lamp adds, if nothing is between it and the place. */
    private Vec shade(Sphere sphere, Vec place, Vec normal, Vec bounced, Vec lamp) {
        Ray ray = new Ray(place, lamp.minus(place));
        double slant = normal.dot(ray.direction);
        if (slant <= 0 || meets(ray)) {
            return DARK;
        }
        double gloss = Math.max(0, bounced.dot(ray.direction));
        double highlight = Math.pow(gloss, SHINE) / 2;
        return sphere.colour.times(slant / 2).plus(new Vec(highlight, highlight, highlight));
    }

    /** Looks for the first sphere that a ray meets. */
    private boolean meets(Ray ray) {
        nearest = null;
        distance = Double.POSITIVE_INFINITY;
        for (int i = 0; i < scene.spheres.length; i++) {
            double here = scene.spheres[i].distance(ray);
            if (here < distance) {
                distance = here;
                nearest = scene.spheres[i];
            }
        }
        return nearest != null;
    }
}
