package online;

import java.lang.reflect.Member;
import java.util.ArrayList;
import java.util.List;

import org.springframework.beans.factory.annotation.InjectionMetadata;
import org.springframework.beans.factory.support.RootBeanDefinition;

/** SPR-8598: one thread iterates over what is to be injected into a bean, and another thread removes some of it. */
public final class Spring {
    int first;
    int second;

    private Spring() {
    }

    public static void main(String[] args) throws Exception {
        List<InjectionMetadata.InjectedElement> elements = new ArrayList<>();
        elements.add(new Element(Spring.class.getDeclaredField("first")));
        elements.add(new Element(Spring.class.getDeclaredField("second")));
        InjectionMetadata metadata = new InjectionMetadata(Spring.class, elements);
        RootBeanDefinition definition = new Definition();
        Race.run(Race.done(() -> metadata.checkConfigMembers(definition)), Race.done(() -> metadata.checkConfigMembers(definition)));
    }

    /** Something to be injected. */
    private static final class Element extends InjectionMetadata.InjectedElement {
        Element(Member member) {
            super(member, null);
        }
    }

    /** The first thread stops where it asks for a member that another one manages. */
    private static final class Definition extends RootBeanDefinition {
        private static final long serialVersionUID = 1;

        @Override
        public void registerExternallyManagedConfigMember(Member member) {
            super.registerExternallyManagedConfigMember(member);
            Race.gate();
        }
    }
}
