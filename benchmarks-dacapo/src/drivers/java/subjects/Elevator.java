package subjects;

import java.util.ArrayList;
import java.util.List;

/**
 * Lifts that fetch and deliver people, after von Praun and Gross; {@code size} is the number of people. All lifts share the controls of the building, whose
 * methods are synchronized; a lift looks for work and takes it in two steps, so another lift can be faster. Checked: everybody arrives, once, at the right
 * floor.
 */
final class Elevator implements Workload {
    private static final int FLOORS = 10;
    private static final int ROOM = 4;

    /** Somebody who waits, rides, or has arrived. */
    private static final class Person {
        final int from;
        final int to;
        int arrivals;

        Person(int number) {
            from = number * 7 % FLOORS;
            to = (from + 1 + number % (FLOORS - 1)) % FLOORS;
        }
    }

    /** Who waits where. */
    private static final class Controls {
        private final List<List<Person>> floors = new ArrayList<>();
        private int left;

        Controls(List<Person> people) {
            for (int i = 0; i < FLOORS; i++) {
                floors.add(new ArrayList<>());
            }
            people.forEach(person -> floors.get(person.from).add(person));
            left = people.size();
        }

        synchronized boolean isWaited(int floor) {
            return !floors.get(floor).isEmpty();
        }

        /** The next one who waits there, if no other lift was faster. */
        synchronized Person claim(int floor) {
            List<Person> waiting = floors.get(floor);
            return waiting.isEmpty() ? null : waiting.remove(waiting.size() - 1);
        }

        synchronized void arrived() {
            left--;
        }

        synchronized boolean isDone() {
            return left == 0;
        }
    }

    /** One lift. It goes up and down. */
    private static final class Lift {
        private final Controls controls;
        private final List<Person> riders = new ArrayList<>();
        private int floor;
        private int direction = 1;

        Lift(Controls controls, int floor) {
            this.controls = controls;
            this.floor = floor;
        }

        void step() {
            unload();
            load();
            if (floor + direction < 0 || floor + direction >= FLOORS) {
                direction = -direction;
            }
            floor += direction;
        }

        private void unload() {
            for (int i = riders.size() - 1; i >= 0; i--) {
                if (riders.get(i).to == floor) {
                    riders.remove(i).arrivals++;
                    controls.arrived();
                }
            }
        }

        private void load() {
            while (riders.size() < ROOM && controls.isWaited(floor)) {
                Person person = controls.claim(floor);
                if (person != null) {
                    riders.add(person);
                }
            }
        }
    }

    @Override
    public String run(int threads, int size) throws Exception {
        List<Person> people = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            people.add(new Person(i));
        }
        Controls controls = new Controls(people);
        Team.round("lift", threads, number -> {
            Lift lift = new Lift(controls, number % FLOORS);
            while (!controls.isDone()) {
                lift.step();
            }
        });
        for (Person person : people) {
            WrongResult.unless(1, person.arrivals, "arrivals of somebody");
        }
        return size + " people have arrived";
    }
}
