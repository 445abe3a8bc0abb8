package kernels.moldyn;

import kernels.Barrier;

/**
 * One thread of the simulation. It has particles of its own, moves all of them, and computes the forces of some pairs;
 * threads exchange nothing but forces, between barriers.
 */
final class Worker implements Runnable {
    private static final double STEP = 0.002;

    final Particle[] particles;
    /** The total energy at the beginning and at the end. */
    double before;
    double after;
    private final int number;
    private final int steps;
    private final double side;
    /** The square of the distance from which particles do not feel each other. */
    private final double cutOff;
    /** What is added to the energy of a pair, so that it is zero there. */
    private final double shift;
    private final Forces forces;
    private final Barrier barrier;

    Worker(int number, Particle[] particles, int steps, double side, Forces forces, Barrier barrier) {
        this.number = number;
        this.particles = particles;
        this.steps = steps;
        this.side = side;
        this.forces = forces;
        this.barrier = barrier;
        double distance = Math.min(2.5, side / 2);
        cutOff = distance * distance;
        double power = 1 / (cutOff * cutOff * cutOff);
        shift = 4 * (power - power * power);
    }

    public void run() {
        pull();
        barrier.pass();
        collect();
        before = energy();
        for (int step = 0; step < steps; step++) {
            barrier.pass();
            move();
            pull();
            barrier.pass();
            collect();
            kick();
        }
        after = energy();
    }

    private void move() {
        for (int i = 0; i < particles.length; i++) {
            particles[i].kick(STEP);
            particles[i].move(STEP, side);
        }
    }

    private void kick() {
        for (int i = 0; i < particles.length; i++) {
            particles[i].kick(STEP);
        }
    }

    /** The forces between every so manieth particle and those after it. */
    private void pull() {
        forces.clear(number);
        for (int i = number; i < particles.length; i += forces.potential.length) {
            pull(i);
        }
    }

    /** The forces of Lennard and Jones, between the nearest images of particles. */
    private void pull(int i) {
        Particle particle = particles[i];
        for (int k = i + 1; k < particles.length; k++) {
            double dx = nearest(particle.x - particles[k].x);
            double dy = nearest(particle.y - particles[k].y);
            double dz = nearest(particle.z - particles[k].z);
            double square = dx * dx + dy * dy + dz * dz;
            if (square < cutOff) {
                double power = 1 / (square * square * square);
                double force = 24 * (2 * power * power - power) / square;
                forces.add(number, i, k, dx * force, dy * force, dz * force, 4 * (power * power - power) + shift);
            }
        }
    }

    private double nearest(double difference) {
        if (difference > side / 2) {
            return difference - side;
        }
        return difference < -side / 2 ? difference + side : difference;
    }

    private void collect() {
        for (int i = 0; i < particles.length; i++) {
            forces.sum(i, particles[i]);
        }
    }

    private double energy() {
        double sum = forces.potentialEnergy();
        for (int i = 0; i < particles.length; i++) {
            sum += particles[i].kineticEnergy();
        }
        return sum;
    }
}
