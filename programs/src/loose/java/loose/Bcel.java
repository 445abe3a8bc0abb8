package loose;

import org.apache.bcel.generic.InstructionList;
import org.apache.bcel.generic.NOP;

/** BCEL-267: both threads create lists of instructions and dispose of them. */
public final class Bcel {
    private Bcel() {
    }

    public static void main(String[] args) throws Exception {
        Both.run(1000, round -> makeAndDispose(), round -> makeAndDispose());
    }

    private static void makeAndDispose() {
        InstructionList list = new InstructionList();
        list.append(new NOP());
        list.dispose();
    }
}
