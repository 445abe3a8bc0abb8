package kernels.raytracer;

/** A cube of 64 spheres between two lamps. The scene and its mirror image are the same. */
final class Scene {
    private static final int SIDE = 4;

    final Sphere[] spheres = new Sphere[SIDE * SIDE * SIDE];
    final Vec[] lamps = {new Vec(-20, 15, -25), new Vec(20, 15, -25)};
    final Vec eye = new Vec(0, 0, -12);

    Scene() {
        for (int i = 0; i < spheres.length; i++) {
            double x = i % SIDE - (SIDE - 1) / 2.0;
            double y = i / SIDE % SIDE - (SIDE - 1) / 2.0;
            double z = i / SIDE / SIDE - (SIDE - 1) / 2.0;
            Vec colour = new Vec(0.3 + 0.2 * Math.abs(x), 0.5 + 0.2 * y, 0.5 + 0.2 * z);
            spheres[i] = new Sphere(new Vec(1.6 * x, 1.6 * y, 1.6 * z), 0.7, colour, 0.4);
        }
    }

    /** The ray from the eye through a point of the image, in which both coordinates go from -1 to 1. */
    Ray view(double x, double y) {
        return new Ray(eye, new Vec(4 * x, 4 * y, 0).minus(eye));
    }
}
