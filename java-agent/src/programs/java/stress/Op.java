package stress;

/** Reads or writes one of an object's variables. Implemented by lambdas: their bodies are no blocks by default. */
public interface Op {
    long apply(Object o, int which, boolean isWrite, long v);
}
