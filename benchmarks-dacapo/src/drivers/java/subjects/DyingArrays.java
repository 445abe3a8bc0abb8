package subjects;

/**
 * Arrays that die as soon as they have been used: {@code size} of them in each thread, each of which leaves the method that makes it
 * and takes the place of the one before. Shows whether memory follows what is alive.
 */
final class DyingArrays implements Workload {
    /** Of each thread, its last array. */
    private Object[][] last;

    @Override
    public String run(int threads, int size) throws Exception {
        last = new Object[threads][];
        Team.round("maker", threads, number -> {
            for (int i = 1; i <= size; i++) {
                replace(number, i);
            }
        });
        for (Object[] array : last) {
            if (!array[0].equals(size)) {
                throw new WrongResult("the last array holds " + array[0]);
            }
        }
        return "the last array of each thread is right";
    }

    private void replace(int number, Integer content) {
        Object[] array = new Object[2];
        last[number] = array;
        array[0] = content;
        array[1] = array[0];
    }
}
