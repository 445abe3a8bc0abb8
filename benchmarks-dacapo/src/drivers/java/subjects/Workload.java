package subjects;

/** A job for several threads, with a result that can be checked. */
interface Workload {
    /**
     * Runs the job. Returns the result as one line, the same for every number of threads unless the workload says
     * otherwise.
     *
     * @throws WrongResult if the result is wrong
     */
    String run(int threads, int size) throws Exception;
}
