package stress;

/** A subclass of a subclass, for a separate loader: its superclasses belong to two others. Hides fields of both. */
public class Leaf extends Sub {
    public long value;
    public static long hidden;

    public Leaf(int number) {
        super(number);
    }

    /** The variables of an object of this class; its superclass handles those that are not named here. */
    public static final Op OP = (o, which, isWrite, v) -> {
        Leaf l = (Leaf) o;
        switch (which) {
            case 0: return isWrite ? l.value = v : l.value;
            case 1: return isWrite ? ((Sub) l).value = v : ((Sub) l).value;
            case 2: return isWrite ? ((Base) l).value = v : ((Base) l).value;
            case 3: return isWrite ? l.other = v : l.other;
            case 4: return isWrite ? l.flag = v : l.flag;
            case 5: return isWrite ? Leaf.shared = v : Leaf.shared;
            case 6: return isWrite ? Leaf.sharedFlag = v : Leaf.sharedFlag;
            case 7: return isWrite ? Leaf.hidden = v : Leaf.hidden;
            case 8: return isWrite ? Base.hidden = v : Base.hidden;
            default: return Sub.OP.apply(o, which - 3, isWrite, v);
        }
    };
}
