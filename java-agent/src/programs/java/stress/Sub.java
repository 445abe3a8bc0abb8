package stress;

/** A subclass, also loaded by a separate loader: hides fields, adds others, and accesses those of its superclass. */
public class Sub extends Base {
    public long value;
    public static long hidden;
    public long other;
    public Other partner;
    public int count;
    public double real;

    public Sub(int number) {
        super(number);
    }

    /** The variables of an object of this class. */
    public static final Op OP = (o, which, isWrite, v) -> {
        Sub s = (Sub) o;
        switch (which) {
            case 0: return isWrite ? s.value = v : s.value;
            case 1: return isWrite ? ((Base) s).value = v : ((Base) s).value;
            case 2: return isWrite ? s.other = v : s.other;
            case 3: return isWrite ? s.flag = v : s.flag;
            case 4: return isWrite ? Sub.shared = v : Sub.shared;
            case 5: return isWrite ? Sub.sharedFlag = v : Sub.sharedFlag;
            case 6:
                if (isWrite) {
                    s.boxed = v;
                    return v;
                }
                Long l = s.boxed;
                return l == null ? 0 : l;
            case 7: return isWrite ? s.count = narrow(v) : s.count;
            case 8:
                if (isWrite) {
                    s.real = Double.longBitsToDouble(v);
                    return v;
                }
                return (long) s.real;
            case 9: return isWrite ? Sub.hidden = v : Sub.hidden;
            case 10: return isWrite ? Base.hidden = v : Base.hidden;
            default:
                if (isWrite) {
                    s.partner = new Other();
                }
                return s.partner == null ? 0 : 1;
        }
    };

    /** The same in 32 bits, also unique. */
    static int narrow(long v) {
        return (int) (v >>> 40 << 28 | v & (1 << 28) - 1);
    }

    /** Some reference type. */
    public static class Other {
    }
}
