package subjects;

import java.util.Locale;

/**
 * Particles that attract each other, like Java Grande's molecular dynamics: each thread computes the forces on its
 * own particles from the positions of all, then moves its own. {@code size} is the number of particles. All state is in
 * fields of objects that every thread reads.
 */
final class Particles implements Workload {
    private static final int ROUNDS = 20;
    private static final double STEP = 1e-3;
    /** Added to squared distances, so that close particles do not fly apart. */
    private static final double SOFTENING = 0.05;

    /** One particle of mass one. */
    private static final class Particle {
        double x;
        double y;
        double z;
        double vx;
        double vy;
        double vz;
        double fx;
        double fy;
        double fz;
    }

    private Particle[] all;

    @Override
    public String run(int threads, int size) throws Exception {
        place(size);
        double before = energy();
        for (int round = 0; round < ROUNDS; round++) {
            Team.round("forces", threads, part -> pull(Team.begin(part, threads, size), Team.begin(part + 1, threads, size)));
            Team.round("moves", threads, part -> move(Team.begin(part, threads, size), Team.begin(part + 1, threads, size)));
        }
        double after = energy();
        double drift = Math.abs((after - before) / before);
        double momentum = momentum();
        if (!(drift < 1e-2) || !(momentum < 1e-9 * size)) {
            throw new WrongResult("energy " + before + " became " + after + ", momentum 0 became " + momentum);
        }
        return String.format(Locale.ROOT, "energy %.12e", after);
    }

    /** Places the particles on a cubic lattice, one per unit, at rest. */
    private void place(int size) {
        int side = (int) Math.ceil(Math.cbrt(size));
        all = new Particle[size];
        for (int i = 0; i < size; i++) {
            Particle p = new Particle();
            p.x = i % side;
            p.y = i / side % side;
            p.z = i / (side * side);
            all[i] = p;
        }
    }

    private void pull(int from, int to) {
        for (int i = from; i < to; i++) {
            Particle p = all[i];
            p.fx = 0;
            p.fy = 0;
            p.fz = 0;
            for (Particle q : all) {
                double dx = q.x - p.x;
                double dy = q.y - p.y;
                double dz = q.z - p.z;
                double square = dx * dx + dy * dy + dz * dz + SOFTENING;
                double pull = 1 / (square * Math.sqrt(square));
                p.fx += dx * pull;
                p.fy += dy * pull;
                p.fz += dz * pull;
            }
        }
    }

    private void move(int from, int to) {
        for (int i = from; i < to; i++) {
            Particle p = all[i];
            p.vx += p.fx * STEP;
            p.vy += p.fy * STEP;
            p.vz += p.fz * STEP;
            p.x += p.vx * STEP;
            p.y += p.vy * STEP;
            p.z += p.vz * STEP;
        }
    }

    private double energy() {
        double sum = 0;
        for (int i = 0; i < all.length; i++) {
            Particle p = all[i];
            sum += (p.vx * p.vx + p.vy * p.vy + p.vz * p.vz) / 2;
            for (int k = i + 1; k < all.length; k++) {
                double dx = all[k].x - p.x;
                double dy = all[k].y - p.y;
                double dz = all[k].z - p.z;
                sum -= 1 / Math.sqrt(dx * dx + dy * dy + dz * dz + SOFTENING);
            }
        }
        return sum;
    }

    private double momentum() {
        double x = 0;
        double y = 0;
        double z = 0;
        for (Particle p : all) {
            x += p.vx;
            y += p.vy;
            z += p.vz;
        }
        return Math.abs(x) + Math.abs(y) + Math.abs(z);
    }
}
