package altered;

import schedule.Steps;

/** Runs the work that is named. */
public class Main {
    public static void main(String[] args) throws ReflectiveOperationException, InterruptedException {
        Work work = (Work) Class.forName("altered." + args[0]).getDeclaredConstructor().newInstance();
        Steps.run(work::first, () -> {
            Steps.await(1);
            work.second();
            Steps.done(2);
        });
        System.out.println("done");
    }
}
