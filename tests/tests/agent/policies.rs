//! A security manager, whose policy permits the agent everything and the program next to nothing.

use crate::machine::{machine, on_all_jvms, sources};
use crate::programs::check_with;

/// JVMs after this one disallow a security manager unless told otherwise, and later ones have none.
const NEWEST: u32 = 17;

#[test]
fn a_program_with_few_permissions_is_observed_with_those_of_the_agent() {
    let folder = tempfile::tempdir().expect("a folder");
    let policy = folder.path().join("policy");
    let agent = machine().jar.display();
    let grants = format!(
        "grant codeBase \"file:{agent}\" {{ permission java.security.AllPermission; }};\n\
         grant {{ permission java.util.PropertyPermission \"life.permitted\", \"read\"; }};\n"
    );
    std::fs::write(&policy, grants).expect("a policy");
    // Two equals signs: no other policy of the user or of the JVM's own applies to the program.
    let policy = format!("-Djava.security.policy=={}", policy.display());
    on_all_jvms(|jvm| {
        if jvm.feature() > NEWEST {
            return Ok(());
        }
        let managed = ["-Djava.security.manager", &policy, "life.FewPermissions"];
        let arguments = [jvm.flags_of_small(), &managed].concat();
        check_with(jvm, &sources().join("life/FewPermissions.java"), &arguments)
    });
}
