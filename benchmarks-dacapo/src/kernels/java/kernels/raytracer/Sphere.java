package kernels.raytracer;

/** A shining sphere. */
final class Sphere {
    /** Hits that are nearer are the place where the ray begins. */
    private static final double NEAREST = 1e-6;

    final Vec centre;
    final double radius;
    /** Red, green and blue that it scatters, each up to one. */
    final Vec colour;
    /** The share of light that it mirrors. */
    final double mirror;

    Sphere(Vec centre, double radius, Vec colour, double mirror) {
        this.centre = centre;
        this.radius = radius;
        this.colour = colour;
        this.mirror = mirror;
    }

    /** How far from its origin a ray meets the sphere; infinitely far if it does not. */
    double distance(Ray ray) {
        Vec towards = centre.minus(ray.origin);
        double along = towards.dot(ray.direction);
        double root = along * along - towards.dot(towards) + radius * radius;
        if (root < 0) {
            return Double.POSITIVE_INFINITY;
        }
        double half = Math.sqrt(root);
        if (along - half > NEAREST) {
            return along - half;
        }
        return along + half > NEAREST ? along + half : Double.POSITIVE_INFINITY;
    }

    Vec normal(Vec place) {
        return place.minus(centre).times(1 / radius);
    }
}
