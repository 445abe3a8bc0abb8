package kernels.moldyn;

import java.util.Random;
import kernels.Barrier;
import kernels.Checksum;
import kernels.Kernel;

/**
 * Molecular dynamics of argon: fifty steps of particles that begin on a cubic lattice with faces in the centres, of
 * {@code SIZE} cells each way.
 *
 * <p>Checked: energy and momentum are conserved, and the threads, each of which moves particles of its own, agree.
 */
public final class MolDyn extends Kernel {
    private static final double DENSITY = 0.83134;
    private static final double TEMPERATURE = 0.722;
    private static final int STEPS = 50;

    private Worker[] workers;

    private MolDyn(String[] arguments) {
        super(arguments);
    }

    /** The program. */
    public static void main(String[] arguments) throws InterruptedException {
        new MolDyn(arguments).run();
    }

    protected void prepare() {
        int count = 4 * size * size * size;
        double side = Math.pow(count / DENSITY, 1.0 / 3);
        Forces forces = new Forces(threads, count);
        Barrier barrier = new Barrier(threads);
        workers = new Worker[threads];
        for (int i = 0; i < threads; i++) {
            Particle[] particles = lattice(side);
            heat(particles);
            workers[i] = new Worker(i, particles, STEPS, side, forces, barrier);
        }
    }

    protected Runnable worker(int number) {
        return workers[number];
    }

    private Particle[] lattice(double side) {
        double cell = side / size;
        Particle[] particles = new Particle[4 * size * size * size];
        for (int i = 0; i < particles.length; i++) {
            int corner = i / 4;
            // The corner of a cell, or the centre of one of the three faces that meet there.
            double dx = i % 4 == 1 || i % 4 == 2 ? 0.5 : 0;
            double dy = i % 4 == 1 || i % 4 == 3 ? 0.5 : 0;
            double dz = i % 4 == 2 || i % 4 == 3 ? 0.5 : 0;
            particles[i] = new Particle((corner % size + dx) * cell, (corner / size % size + dy) * cell, (corner / size / size + dz) * cell);
        }
        return particles;
    }

    /** Velocities of this temperature, with a momentum of zero. */
    private void heat(Particle[] particles) {
        Random random = new Random(size);
        double x = 0;
        double y = 0;
        double z = 0;
        for (int i = 0; i < particles.length; i++) {
            Particle particle = particles[i];
            particle.vx = random.nextGaussian() * Math.sqrt(TEMPERATURE);
            particle.vy = random.nextGaussian() * Math.sqrt(TEMPERATURE);
            particle.vz = random.nextGaussian() * Math.sqrt(TEMPERATURE);
            x += particle.vx / particles.length;
            y += particle.vy / particles.length;
            z += particle.vz / particles.length;
        }
        for (int i = 0; i < particles.length; i++) {
            particles[i].vx -= x;
            particles[i].vy -= y;
            particles[i].vz -= z;
        }
    }

    protected String check() {
        int count = workers[0].particles.length;
        double drift = Math.abs(workers[0].after - workers[0].before) / count;
        require(drift < 1e-3, "the energy changed by " + drift + " a particle");
        require(momentum(workers[0].particles) < 1e-9 * count, "the momentum became " + momentum(workers[0].particles));
        Checksum first = checksum(workers[0].particles);
        for (int i = 1; i < threads; i++) {
            require(checksum(workers[i].particles).toString().equals(first.toString()), "threads 0 and " + i + " differ");
        }
        return count + " particles, " + first;
    }

    private static double momentum(Particle[] particles) {
        double x = 0;
        double y = 0;
        double z = 0;
        for (int i = 0; i < particles.length; i++) {
            x += particles[i].vx;
            y += particles[i].vy;
            z += particles[i].vz;
        }
        return Math.abs(x) + Math.abs(y) + Math.abs(z);
    }

    private static Checksum checksum(Particle[] particles) {
        Checksum sum = new Checksum();
        for (int i = 0; i < particles.length; i++) {
            sum.add(particles[i].x).add(particles[i].y).add(particles[i].z);
        }
        return sum;
    }
}
