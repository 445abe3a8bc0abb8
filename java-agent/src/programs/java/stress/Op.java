package stress;

/** Reads or writes one of an object's variables. Implemented by lambdas, whose bodies are not blocks by default. */
public interface Op {
    long apply(Object o, int which, boolean isWrite, long v);
}
