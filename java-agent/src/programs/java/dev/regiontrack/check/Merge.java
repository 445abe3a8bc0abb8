package dev.regiontrack.check;

import dev.regiontrack.runtime.bridge.EventCodes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One order of the recorded events of all threads that respects their dependencies. */
final class Merge {
    /** Gets the events in that order. */
    interface Events {
        void event(int thread, int code, long extra, long id);
    }

    private final Map<Integer, Stream> streams = new HashMap<>();
    private final Events events;
    private long dependencies;

    private Merge(Events events) {
        this.events = events;
    }

    /** One thread's stream. */
    private static final class Stream {
        final List<long[]> parts;
        int part;
        int at;
        long done;

        Stream(List<long[]> parts) {
            this.parts = parts;
        }

        boolean hasMore() {
            while (part < parts.size() && at == parts.get(part).length) {
                part++;
                at = 0;
            }
            return part < parts.size();
        }
    }

    /** Merges the records of threads, by number; returns how many dependencies they have, or -1 if one of them is on an event that never comes. */
    static long of(Map<Integer, List<long[]>> records, Events events) {
        Merge merge = new Merge(events);
        records.forEach((thread, parts) -> merge.streams.put(thread, new Stream(parts)));
        boolean hasMoved = true;
        while (hasMoved) {
            hasMoved = false;
            for (Map.Entry<Integer, Stream> e : merge.streams.entrySet()) {
                hasMoved |= merge.advance(e.getKey(), e.getValue());
            }
        }
        for (Stream stream : merge.streams.values()) {
            if (stream.hasMore()) {
                return -1;
            }
        }
        return merge.dependencies;
    }

    private boolean advance(int thread, Stream s) {
        boolean hasMoved = false;
        while (s.hasMore()) {
            long word = s.parts.get(s.part)[s.at];
            long other = s.parts.get(s.part)[s.at + 1];
            int code = (int) word & 255;
            if (code == EventCodes.DEPEND) {
                Stream on = streams.get((int) (other >>> 43));
                if (on == null || on.done < (other & (1L << 43) - 1)) {
                    return hasMoved;
                }
                dependencies++;
            } else if (code != EventCodes.UNSEEN && code != EventCodes.TOGETHER && code != EventCodes.UPDATE && code != EventCodes.WAITED) {
                s.done++;
                events.event(thread, code, word >>> 32, other);
            }
            s.at += 2;
            hasMoved = true;
        }
        return hasMoved;
    }
}
