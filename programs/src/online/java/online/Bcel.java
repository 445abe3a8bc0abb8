package online;

import org.apache.bcel.generic.InstructionHandle;
import org.apache.bcel.generic.InstructionList;
import org.apache.bcel.generic.NOP;

/** BCEL-267: a list holds handles that are no longer used, and two threads take the same one from it. */
public final class Bcel {
    private Bcel() {
    }

    public static void main(String[] args) throws Exception {
        InstructionList old = new InstructionList();
        old.append(new NOP());
        old.append(new NOP());
        old.dispose();
        InstructionHandle[] taken = new InstructionHandle[2];
        Race.run(Race.done(() -> taken[0] = new InstructionList().append(new NOP())),
            Race.done(() -> taken[1] = new InstructionList().append(new NOP())));
        System.out.println("the same: " + (taken[0] == taken[1]));
    }
}
