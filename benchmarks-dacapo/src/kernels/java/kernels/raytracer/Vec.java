package kernels.raytracer;

/** A place or a direction. */
final class Vec {
    final double x;
    final double y;
    final double z;

    Vec(double x, double y, double z) {
        this.x = x;
        this.y = y;
        this.z = z;
    }

    Vec plus(Vec other) {
        return new Vec(x + other.x, y + other.y, z + other.z);
    }

    Vec minus(Vec other) {
        return new Vec(x - other.x, y - other.y, z - other.z);
    }

    Vec times(double factor) {
        return new Vec(x * factor, y * factor, z * factor);
    }

    double dot(Vec other) {
        return x * other.x + y * other.y + z * other.z;
    }

    Vec normalized() {
        return times(1 / Math.sqrt(dot(this)));
    }

    /** What a mirror with this normal makes of a direction. */
    Vec mirrored(Vec direction) {
        return direction.minus(times(2 * dot(direction)));
    }
}
