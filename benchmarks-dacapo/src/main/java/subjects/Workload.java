package subjects;

/** Something for several threads to do, with a result that can be checked. */
interface Workload {
    /**
     * Does it, and answers the result on one line, the same for every number of threads unless the workload says otherwise.
     *
     * @throws WrongResult if the result is not what it must be
     */
    String run(int threads, int size) throws Exception;
}
