/** The second size of {@link JGFSumBenchSizeA}. */
public class JGFSumBenchSizeB {
    public static void main(String[] arguments) throws InterruptedException {
        JGFSumBenchSizeA.run(arguments, "B", 100000);
    }
}
