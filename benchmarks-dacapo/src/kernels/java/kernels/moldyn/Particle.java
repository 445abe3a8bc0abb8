package kernels.moldyn;

/** A particle of mass one, in a box that repeats in all directions. */
final class Particle {
    double x;
    double y;
    double z;
    double vx;
    double vy;
    double vz;
    double fx;
    double fy;
    double fz;

    Particle(double x, double y, double z) {
        this.x = x;
        this.y = y;
        this.z = z;
    }

    /** Half a step of the velocity under the force. */
    void kick(double step) {
        vx += fx * step / 2;
        vy += fy * step / 2;
        vz += fz * step / 2;
    }

    /** A step of the place, which stays in the box. */
    void move(double step, double side) {
        x = wrapped(x + vx * step, side);
        y = wrapped(y + vy * step, side);
        z = wrapped(z + vz * step, side);
    }

    private static double wrapped(double place, double side) {
        if (place < 0) {
            return place + side;
        }
        return place >= side ? place - side : place;
    }

    double kineticEnergy() {
        return (vx * vx + vy * vy + vz * vz) / 2;
    }
}
