package kernels.moldyn;

/** What all threads add up: of each thread, the forces and the potential energy of the pairs that it has computed. */
final class Forces {
    /** By thread, then by particle. */
    final double[][] x;
    final double[][] y;
    final double[][] z;
    final double[] potential;

    Forces(int threads, int particles) {
        x = new double[threads][particles];
        y = new double[threads][particles];
        z = new double[threads][particles];
        potential = new double[threads];
    }

    /** Forgets what this thread has computed. */
    void clear(int thread) {
        java.util.Arrays.fill(x[thread], 0);
        java.util.Arrays.fill(y[thread], 0);
        java.util.Arrays.fill(z[thread], 0);
        potential[thread] = 0;
    }

    /** Adds the pair of particles {@code i} and {@code k}, which pull each other with this force. */
    void add(int thread, int i, int k, double fx, double fy, double fz, double energy) {
        x[thread][i] += fx;
        y[thread][i] += fy;
        z[thread][i] += fz;
        x[thread][k] -= fx;
        y[thread][k] -= fy;
        z[thread][k] -= fz;
        potential[thread] += energy;
    }

    /** The sums of all threads, in the order of their numbers. */
    void sum(int i, Particle particle) {
        particle.fx = 0;
        particle.fy = 0;
        particle.fz = 0;
        for (int thread = 0; thread < potential.length; thread++) {
            particle.fx += x[thread][i];
            particle.fy += y[thread][i];
            particle.fz += z[thread][i];
        }
    }

    double potentialEnergy() {
        double sum = 0;
        for (int thread = 0; thread < potential.length; thread++) {
            sum += potential[thread];
        }
        return sum;
    }
}
