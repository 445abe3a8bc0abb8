package kernels.raytracer;

import kernels.Kernel;

/**
 * Renders a scene of 64 spheres as a square image with sides of {@code SIZE}, an even number. The rows are dealt out to
 * the threads in turn; each adds up its own pixels, and at its end adds that to the sum of all.
 *
 * <p>Checked: the image is its own mirror image, as the scene is; it is dark exactly where the geometry says that no
 * sphere is seen; the sum is that of the pixels.
 */
public final class RayTracer extends Kernel {
    private int[] pixels;
    private long sum;

    private RayTracer(String[] arguments) {
        super(arguments);
    }

    /** The program. */
    public static void main(String[] arguments) throws InterruptedException {
        new RayTracer(arguments).run();
    }

    protected void prepare() {
        require(size % 2 == 0, "the size " + size + " is not even");
        pixels = new int[size * size];
        sum = 0;
    }

    protected Runnable worker(final int number) {
        return new Runnable() {
            public void run() {
                Scene scene = new Scene();
                Tracer tracer = new Tracer(scene);
                long mine = 0;
                for (int row = number; row < size; row += threads) {
                    mine += render(scene, tracer, row);
                }
                add(mine);
            }
        };
    }

    /** Renders a row; returns the sum of its pixels. */
    long render(Scene scene, Tracer tracer, int row) {
        long added = 0;
        for (int column = 0; column < size; column++) {
            Vec colour = tracer.trace(scene.view(coordinate(column), coordinate(row)), 0);
            int pixel = level(colour.x) << 16 | level(colour.y) << 8 | level(colour.z);
            pixels[row * size + column] = pixel;
            added += pixel;
        }
        return added;
    }

    private double coordinate(int pixel) {
        return (2.0 * pixel + 1) / size - 1;
    }

    private static int level(double brightness) {
        return (int) Math.min(255, 255 * brightness);
    }

    synchronized void add(long added) {
        sum += added;
    }

    protected String check() {
        Scene scene = new Scene();
        long expected = 0;
        for (int i = 0; i < pixels.length; i++) {
            int row = i / size;
            int column = i % size;
            String place = "pixel " + column + " of row " + row;
            require(isLike(pixels[i], pixels[row * size + size - 1 - column]), place + " is not like its mirror image");
            require(pixels[i] != 0 == isSeen(scene, scene.view(coordinate(column), coordinate(row))), place + " is " + pixels[i]);
            expected += pixels[i];
        }
        require(sum == expected, "the sum is " + sum + ", not " + expected);
        return size + " rows, sum " + sum;
    }

    /** True if two colours differ at most by rounding: two lamps are added up in the other order. */
    private static boolean isLike(int a, int b) {
        for (int shift = 0; shift <= 16; shift += 8) {
            if (Math.abs((a >> shift & 0xff) - (b >> shift & 0xff)) > 1) {
                return false;
            }
        }
        return true;
    }

    /** True if the ray's line is nearer to a centre than the radius: Pythagoras, instead of an equation for the hit. */
    private static boolean isSeen(Scene scene, Ray ray) {
        for (int i = 0; i < scene.spheres.length; i++) {
            Sphere sphere = scene.spheres[i];
            Vec towards = sphere.centre.minus(ray.origin);
            Vec beside = towards.minus(ray.direction.times(towards.dot(ray.direction)));
            if (Math.sqrt(beside.dot(beside)) <= sphere.radius) {
                return true;
            }
        }
        return false;
    }
}
