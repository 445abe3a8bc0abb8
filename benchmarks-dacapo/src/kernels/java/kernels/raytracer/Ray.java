package kernels.raytracer;

/** A half-line. */
final class Ray {
    final Vec origin;
    /** Of length one. */
    final Vec direction;

    Ray(Vec origin, Vec direction) {
        this.origin = origin;
        this.direction = direction.normalized();
    }

    Vec at(double distance) {
        return origin.plus(direction.times(distance));
    }
}
