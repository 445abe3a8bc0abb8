package programs;

import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

/** Quartz: jobs that are due at once, executed by a pool of workers. */
public final class Quartz {
    private static final AtomicLong SUM = new AtomicLong();
    private static CountDownLatch done;

    private Quartz() {
    }

    /** The arguments are workers and executions of all jobs together. */
    public static void main(String[] arguments) throws Exception {
        int runs = Integer.parseInt(arguments[1]);
        done = new CountDownLatch(runs);
        Properties properties = new Properties();
        properties.setProperty("org.quartz.threadPool.threadCount", arguments[0]);
        properties.setProperty("org.quartz.scheduler.skipUpdateCheck", "true");
        properties.setProperty("org.quartz.scheduler.batchTriggerAcquisitionMaxCount", "20");
        Scheduler scheduler = new StdSchedulerFactory(properties).getScheduler();
        for (int i = 0; i < runs; i++) {
            scheduler.scheduleJob(JobBuilder.newJob(Sum.class).withIdentity("job-" + i).usingJobData("number", i).build(),
                TriggerBuilder.newTrigger().withIdentity("trigger-" + i).startNow()
                    .withSchedule(SimpleScheduleBuilder.simpleSchedule().withMisfireHandlingInstructionFireNow()).build());
        }
        scheduler.start();
        done.await();
        scheduler.shutdown(true);
        System.out.println(runs + " runs, sum " + SUM.get());
    }

    /** Adds its number. */
    public static final class Sum implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            SUM.addAndGet(context.getMergedJobDataMap().getInt("number"));
            done.countDown();
        }
    }
}
