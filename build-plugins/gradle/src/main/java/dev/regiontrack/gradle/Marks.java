package dev.regiontrack.gradle;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import org.gradle.api.Action;
import org.gradle.api.GradleException;
import org.gradle.api.Task;
import org.gradle.api.specs.Spec;

/**
 * Which tasks a build has not skipped: a mark, which is a file, for each that has run, was up to date, or came from the build cache. A task that its
 * {@code onlyIf} skips keeps the reports of an earlier build, and none of its actions runs. The marks are removed by the action of a task that comes
 * before, which is this one.
 */
final class Marks implements Action<Task> {
    private final File folder;

    /** Marks in this folder, which has nothing else. */
    Marks(File folder) {
        this.folder = folder;
    }

    @Override
    public void execute(Task first) {
        File[] old = folder.listFiles();
        for (File mark : old == null ? new File[0] : old) {
            if (!mark.delete()) {
                throw new GradleException("regiontrack: " + mark + " cannot be removed");
            }
        }
    }

    /** A condition of this task that always holds. As the last one, it is only asked if the task is not skipped. */
    Spec<Task> set(String task) {
        return new Sets(new File(folder, task));
    }

    /** The condition that this task has its mark. */
    Spec<File> has(String task) {
        return new Has(new File(folder, task));
    }

    private static final class Sets implements Spec<Task> {
        private final File mark;

        Sets(File mark) {
            this.mark = mark;
        }

        @Override
        public boolean isSatisfiedBy(Task task) {
            try {
                Files.createDirectories(mark.getParentFile().toPath());
                Files.write(mark.toPath(), new byte[0]);
                return true;
            } catch (IOException e) {
                throw new GradleException("regiontrack: " + e.getMessage(), e);
            }
        }
    }

    private static final class Has implements Spec<File> {
        private final File mark;

        Has(File mark) {
            this.mark = mark;
        }

        @Override
        public boolean isSatisfiedBy(File report) {
            return mark.isFile();
        }
    }
}
