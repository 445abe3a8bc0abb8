package loose;

import java.lang.reflect.Member;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.annotation.InjectionMetadata;
import org.springframework.beans.factory.support.RootBeanDefinition;

/** SPR-8598: both threads check the members of beans that are to be injected. */
public final class Spring {
    private Spring() {
    }

    public static void main(String[] args) throws Exception {
        Object[] all = Both.objects(1000, round -> metadata());
        Object[] definitions = Both.objects(1000, round -> new RootBeanDefinition(Bean.class));
        Both.Part check = round -> ((InjectionMetadata) all[round]).checkConfigMembers((RootBeanDefinition) definitions[round]);
        Both.run(1000, check, check);
    }

    private static InjectionMetadata metadata() {
        try {
            List<InjectionMetadata.InjectedElement> elements = new ArrayList<>();
            elements.add(new Element(Bean.class.getDeclaredField("first")));
            elements.add(new Element(Bean.class.getDeclaredField("second")));
            return new InjectionMetadata(Bean.class, elements);
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Something to be injected. */
    private static final class Element extends InjectionMetadata.InjectedElement {
        Element(Member member) {
            super(member, null);
        }
    }

    /** A bean. */
    static final class Bean {
        int first;
        int second;
    }
}
