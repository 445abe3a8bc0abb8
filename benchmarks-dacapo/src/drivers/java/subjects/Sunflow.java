package subjects;

import org.sunflow.SunflowAPI;
import org.sunflow.core.Display;
import org.sunflow.image.Color;
import org.sunflow.math.Matrix4;
import org.sunflow.math.Point3;
import org.sunflow.math.Vector3;
import org.sunflow.system.UI;
import org.sunflow.system.ui.SilentInterface;

/**
 * The renderer Sunflow draws three spheres on a plane, in a square image with sides of {@code size}, with threads of its
 * own. Checked: every pixel is delivered once, and the image is about its own mirror image, as the scene is.
 */
final class Sunflow implements Workload {
    /** Takes the pixels from Sunflow's threads. */
    private static final class Image implements Display {
        final float[][] luminance;
        int delivered;

        Image(int size) {
            luminance = new float[size][size];
        }

        @Override
        public void imageBegin(int width, int height, int bucket) {
        }

        @Override
        public void imagePrepare(int x, int y, int width, int height, int thread) {
        }

        @Override
        public synchronized void imageUpdate(int x, int y, int width, int height, Color[] colors, float[] alpha) {
            for (int i = 0; i < width * height; i++) {
                luminance[y + i / width][x + i % width] = colors[i].getLuminance();
                delivered++;
            }
        }

        @Override
        public void imageFill(int x, int y, int width, int height, Color color, float alpha) {
        }

        @Override
        public void imageEnd() {
        }
    }

    @Override
    public String run(int threads, int size) throws WrongResult {
        UI.set(new SilentInterface());
        SunflowAPI scene = new SunflowAPI();
        look(scene);
        sphere(scene, "left", -1.2f);
        sphere(scene, "middle", 0);
        sphere(scene, "right", 1.2f);
        plane(scene);
        light(scene, "lamp-left", -5);
        light(scene, "lamp-right", 5);
        Image image = new Image(size);
        scene.parameter("camera", "eye");
        scene.parameter("threads", threads);
        scene.parameter("resolutionX", size);
        scene.parameter("resolutionY", size);
        scene.parameter("aa.min", 0);
        scene.parameter("aa.max", 1);
        scene.options(SunflowAPI.DEFAULT_OPTIONS);
        scene.render(SunflowAPI.DEFAULT_OPTIONS, image);
        WrongResult.unless(size * size, image.delivered, "pixels");
        return check(image.luminance);
    }

    private static void look(SunflowAPI scene) {
        scene.parameter("transform", Matrix4.lookAt(new Point3(0, 2, 6), new Point3(0, 0.3f, 0), new Vector3(0, 1, 0)));
        scene.parameter("fov", 45f);
        scene.camera("eye", "pinhole");
        scene.parameter("diffuse", null, 0.7f, 0.6f, 0.5f);
        scene.parameter("shiny", 0.3f);
        scene.shader("paint", "shiny_diffuse");
    }

    private static void sphere(SunflowAPI scene, String name, float x) {
        scene.geometry(name, "sphere");
        scene.parameter("transform", Matrix4.translation(x, 0.5f, 0).multiply(Matrix4.scale(0.5f)));
        scene.parameter("shaders", "paint");
        scene.instance(name + ".instance", name);
    }

    private static void plane(SunflowAPI scene) {
        scene.parameter("center", new Point3(0, 0, 0));
        scene.parameter("normal", new Vector3(0, 1, 0));
        scene.geometry("plane", "plane");
        scene.parameter("shaders", "paint");
        scene.instance("plane.instance", "plane");
    }

    private static void light(SunflowAPI scene, String name, float x) {
        scene.parameter("center", new Point3(x, 6, 5));
        scene.parameter("power", null, 100f, 100f, 100f);
        scene.light(name, "point");
    }

    private static String check(float[][] luminance) throws WrongResult {
        double sum = 0;
        double differences = 0;
        long checksum = 1;
        for (float[] row : luminance) {
            for (int column = 0; column < row.length; column++) {
                sum += row[column];
                differences += Math.abs(row[column] - row[row.length - 1 - column]);
                checksum = 31 * checksum + Float.floatToIntBits(row[column]);
            }
        }
        if (!(sum > 0 && differences / sum < 0.1)) {
            throw new WrongResult("of a brightness of " + sum + " there differ " + differences + " from the mirror image");
        }
        return "checksum " + Long.toHexString(checksum);
    }
}
