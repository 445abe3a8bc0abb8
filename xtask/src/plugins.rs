//! `cargo xtask plugins`: tests the Maven and Gradle plugins in the small projects of `build-plugins/examples`.
//!
//! A project's tests always show a method that is not atomic. Its build must pass without the plugin's agent, fail with
//! it, pass if the finding is in a baseline, and pass if the method is atomic; on every JVM, guided by a profile, from
//! Gradle's cache, and in two modules. The project of `docs/tutorial.md` is changed as the page says.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use serde_json::Value;

use crate::java::{self, Jvm, Maven, Toolchain};
use crate::workspace::{Output, Workspace, shown};
use crate::{Failure, Outcome, dist, files, publish};

/// The method that is not atomic, and the code that makes it so.
const METHOD: &str = "com.acme.prices.Prices.price(java.lang.String,java.util.function.Function)";
const BROKEN: &str = "        if (!known.containsKey(item)) {
            known.put(item, ask.apply(item));
        }
        return known.get(item);";
const FIXED: &str = "        return known.computeIfAbsent(item, ask);";
/// Its source, in both projects.
const SOURCE: &str = "src/main/java/com/acme/prices/Prices.java";
/// The build's message about the method, and about a baseline that contains it.
const FOUND: &str = "1  torn update  Prices.price  ";
const KNOWN: &str = ", known  ";
/// The report of a JVM that was killed.
const KILLED: &str = r#"{"schema":1,"verdict":"running","process":7,"started":"1970-01-01T00:00:00Z"}"#;
/// The page to follow, and the build's message about its bug.
const TUTORIAL: &str = "docs/tutorial.md";
const STALE: &str = "1  inconsistent view  Prices.price  Prices.known after Prices.supplier  ";
const BASELINE: &str = "regiontrack.baseline";
/// Where the build tools keep a profile of the project, in their own folders.
const MAVENS_PROFILE: &str = ".cache/regiontrack/com.acme/prices.profile";
const GRADLES_PROFILE: &str = ".gradle/regiontrack/prices.profile";
/// The test in which it happens.
const PRICES_TEST: &str = "src/test/java/com/acme/prices/PricesTest.java";
/// The folder of the tests.
const TESTS: &str = "src/test/java/com/acme/prices";

/// Builds the agent, and tests the plugins.
pub(crate) fn run(workspace: &Workspace) -> Outcome {
    let toolchain = Toolchain::ensure()?;
    let agent = dist::agent(workspace, &toolchain, false)?;
    check(workspace, &toolchain, &Maven::ensure(workspace, &toolchain)?, &agent, &java::every_jvm(workspace))
}

/// Tests the plugins with an agent that is already built, on these JVMs.
pub(crate) fn check(
    workspace: &Workspace,
    toolchain: &Toolchain,
    maven: &Maven,
    agent: &Path,
    jvms: &[Jvm],
) -> Outcome {
    let folder = workspace.target.join("plugins");
    let cannot = |e: std::io::Error| Failure(format!("{}: {e}", folder.display()));
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(cannot)?;
    }
    fs::create_dir_all(&folder).map_err(cannot)?;
    let repository = publish::public(folder.join("repository"));
    let log = File::create(folder.join("publish.log")).map_err(cannot)?;
    publish::publish(workspace, toolchain, maven, agent, false, &repository, &Output::Log(log))
        .map_err(|Failure(why)| Failure(format!("{why}; see {}", folder.join("publish.log").display())))?;
    // Maven never fetches this version again if it is cached.
    for name in ["regiontrack-maven-plugin", "regiontrack-junit", "regiontrack-annotations"] {
        let cached = maven.repository.join("dev/regiontrack").join(name);
        if cached.exists() {
            fs::remove_dir_all(&cached).map_err(cannot)?;
        }
    }
    let examples = workspace.root.join("build-plugins/examples");
    let of_maven = Project::copy(&examples.join("maven"), &folder.join("maven"))?;
    let of_modules = Project::copy(&examples.join("maven"), &folder.join("modules"))?;
    let of_tutorial = Project::copy(&workspace.root.join("examples/tutorial"), &folder.join("tutorial"))?;
    let page = workspace.root.join(TUTORIAL);
    let page = fs::read_to_string(&page).map_err(|e| Failure(format!("{}: {e}", page.display())))?;
    let of_gradle = Project::copy(&examples.join("gradle"), &folder.join("gradle"))?;
    let of_projects = Project::copy(&examples.join("gradle"), &folder.join("projects"))?;
    thread::scope(|scope| {
        let maven = scope.spawn(|| {
            with_maven(&of_maven, maven, &repository.folder, agent, jvms)?;
            with_modules(&of_modules, maven, &repository.folder)?;
            tutorial(&of_tutorial, &page, maven, &repository.folder)
        });
        let gradle = with_gradle(&of_gradle, toolchain, &repository.folder, agent, jvms)
            .and_then(|()| with_projects(&of_projects, toolchain, &repository.folder));
        maven.join().expect("the tests do not panic").and(gradle)
    })
}

/// One JVM is forked for each test class, two at a time, and JaCoCo's agent is present, too.
fn with_maven(project: &Project, maven: &Maven, repository: &Path, agent: &Path, jvms: &[Jvm]) -> Outcome {
    project.asks(repository)?;
    let version = format!("-Dregiontrack.version={}", publish::VERSION);
    let call = |words: &[&str]| {
        maven.command(&project.folder, &[&["--settings", "settings.xml", "--quiet", &version], words].concat())
    };
    project.passes(call(&["verify", "-Dregiontrack.skip=true"]), &[])?;
    project.fails(call(&["verify", "-Pcoverage", "-DforkCount=2", "-DreuseForks=false"]), &[FOUND])?;
    project.has_found("target/site/regiontrack", 2)?;
    // Wherever Maven is started, the report has lines of the sources, unless the options name others.
    let above = project.folder.ancestors().nth(2).expect("it lies in two folders");
    let settings = project.folder.join("settings.xml");
    for (options, has_lines) in [("arrays=refs", true), ("sources=none", false), ("sources=src/main/java", true)] {
        let options = format!("-Dregiontrack.options={options}");
        let mut report = maven.command(above, &["--quiet", "regiontrack:report", &version, &options]);
        report.arg("--settings").arg(&settings).arg("--file").arg(&project.folder);
        project.passes(report, &[])?;
        project.has_lines("target/site/regiontrack", has_lines)?;
    }
    // What a JVM that was killed leaves beside the others: each of both facts can fail the build.
    project.writes("target/regiontrack/report-7.json", KILLED)?;
    let check = |fails_on: &str| call(&["regiontrack:check", &format!("-Dregiontrack.failOn{fails_on}=false")]);
    project.fails(check("Incomplete"), &[FOUND])?;
    project.fails(check("Violation"), &[FOUND])?;
    project.removes("target/regiontrack/report-7.json")?;
    project.passes(check("Violation"), &[])?;
    project.has(&[
        "target/jacoco.exec",
        "target/site/regiontrack/index.html",
        "target/site/regiontrack/regiontrack.sarif",
    ])?;
    project.passes(call(&["regiontrack:update-baseline"]), &[])?;
    project.has(&[BASELINE])?;
    // A second build without a clean folder.
    project.passes(call(&["verify"]), &[])?;
    project.has_found("target/site/regiontrack", 1)?;
    // No tests, whose results of the build before are still there.
    project.passes(call(&["verify", "-DskipTests"]), &[])?;
    project.passes_under_run(call(&["verify", "-Dregiontrack.baseline=none"]), "target", agent, &[])?;
    project.fails(call(&["verify", "-DargLine=-Xmx300m"]), &["tests have run, and no JVM with the agent"])?;
    // Tests of which nothing is watched fail no build, unless something was lost.
    let include = "-Dregiontrack.include=org.other.*";
    let nothing = maven.command(&project.folder, &["--settings", "settings.xml", "verify", &version, include]);
    project.passes(nothing, &["nothing was judged here", "no class was watched"])?;
    project.writes("target/regiontrack/report-7.json", KILLED)?;
    project.fails(call(&["regiontrack:check"]), &["no violation found, incomplete"])?;
    let baseline = "-Dregiontrack.baseline=none";
    let of = |jvm: &Jvm| format!("-Djvm={}", jvm.java.display());
    let profile = maven.repository.join(MAVENS_PROFILE);
    // It may be left over from an earlier call of these tests.
    let _ = fs::remove_file(&profile);
    // The first run writes the profile that guides the others, each on another JVM.
    for (runs, jvm) in (1..=jvms.len().max(2)).zip(jvms.iter().cycle()) {
        project.fails(call(&["clean", "verify", baseline, "-Dregiontrack.guided=true", &of(jvm)]), &[FOUND])?;
        counts_runs(&profile, runs)?;
    }
    project.fix()?;
    jvms.iter().try_for_each(|jvm| project.passes(call(&["verify", &of(jvm)]), &[]))?;
    // The integration tests run without the agent, beside tests with it.
    project.changes("pom.xml", AFTER_SUREFIRE, &format!("{AFTER_SUREFIRE}{FAILSAFE}"))?;
    project.fails(call(&["verify"]), &["tests of Failsafe have run, and no JVM with the agent"])?;
    project.passes(call(&["verify", "-Dregiontrack.failOnIncomplete=false"]), &[])?;
    project.changes("pom.xml", "<argLine>", "<argLine>@{argLine} ")?;
    project.passes(call(&["verify"]), &[])
}

/// The same test in two modules, with the plugin in the parent: tests of one module use the other.
fn with_modules(project: &Project, maven: &Maven, repository: &Path) -> Outcome {
    project.asks(repository)?;
    let parent = "  <version>1.0</version>\n";
    let modules = "  <packaging>pom</packaging>\n  <modules><module>prices</module><module>orders</module></modules>\n";
    project.changes("pom.xml", parent, &format!("{parent}{modules}"))?;
    project.changes("pom.xml", "<artifactId>prices</artifactId>", "<artifactId>shop</artifactId>")?;
    let of = |artifact: &str| {
        format!("<groupId>com.acme</groupId><artifactId>{artifact}</artifactId><version>1.0</version>")
    };
    let module = |name: &str, more: &str| {
        let text = format!(
            "<project><modelVersion>4.0.0</modelVersion><parent>{}</parent><artifactId>{name}</artifactId>{more}</project>",
            of("shop")
        );
        project.writes(&format!("{name}/pom.xml"), &text)
    };
    // One of the modules has another folder for the reports of its JVMs.
    module("prices", "<properties><regiontrack.reportsDirectory>found</regiontrack.reportsDirectory></properties>")?;
    module("orders", &format!("<dependencies><dependency>{}</dependency></dependencies>", of("prices")))?;
    project.parts()?;
    let call =
        |words: &[&str]| maven.command(&project.folder, &[&["--settings", "settings.xml", "--quiet"], words].concat());
    // The tests have arguments of their own, beside the agent's or alone.
    let surefire = "<artifactId>maven-surefire-plugin</artifactId>\n        <version>3.5.2</version>\n";
    let own = "        <configuration><argLine>@{argLine} -Xmx300m</argLine></configuration>\n";
    project.changes("pom.xml", surefire, &format!("{surefire}{own}"))?;
    project.passes(call(&["verify", "-Dregiontrack.skip=true"]), &[])?;
    project.fails(call(&["verify"]), &[FOUND])?;
    project.passes(call(&["verify", "-Dregiontrack.failOnViolation=false", "regiontrack:report-aggregate"]), &[])?;
    project.has_found("target/site/regiontrack", 2)
}

/// Follows the page: each block of it is put where the page says, and each call of Maven ends as it says.
fn tutorial(project: &Project, page: &str, maven: &Maven, repository: &Path) -> Outcome {
    project.asks(repository)?;
    let verify = || maven.command(&project.folder, &["--settings", "settings.xml", "--quiet", "verify"]);
    let blocks = |language: &str| -> Vec<String> {
        let parts = page.split("\n```").skip(1).step_by(2);
        parts.filter_map(|part| Some(part.strip_prefix(language)?.strip_prefix('\n')?.to_owned() + "\n")).collect()
    };
    let (xml, java) = (blocks("xml"), blocks("java"));
    let ([plugin, junit, caffeine], [_, fixed]) = (xml.as_slice(), java.as_slice()) else {
        return Err(Failure(format!("{TUTORIAL} has other blocks than xtask/src/plugins.rs puts into the project")));
    };
    project.passes(verify(), &[])?;
    project.changes("pom.xml", "    <plugins>\n", &format!("    <plugins>\n{plugin}"))?;
    project.fails(verify(), &[STALE])?;
    project.changes("pom.xml", "  </dependencies>\n", &format!("{junit}  </dependencies>\n"))?;
    project.fails(verify(), &["ViolationError", "write known.get(\"tea\")"])?;
    let guava = "      <groupId>com.google.guava</groupId>\n      <artifactId>guava</artifactId>\n      <version>33.4.0-jre</version>\n";
    project.changes("pom.xml", guava, caffeine)?;
    let source = project.folder.join("src/main/java/com/acme/shop/Prices.java");
    fs::write(&source, fixed).map_err(|e| Failure(format!("{}: {e}", source.display())))?;
    project.passes(verify(), &[])
}

/// What the example's build does not need: a JVM for each test class, two at a time, JaCoCo's agent, another JVM, a
/// cache.
const FORKS: &str = "
test {
    maxParallelForks = 2
    forkEvery = 1
    if (project.hasProperty('jvm')) { executable = project.jvm }
}
regiontrack {
    guided = project.hasProperty('guided')
    options = project.hasProperty('suppressed') ? 'suppressions=own.supp' : ''
}
if (project.hasProperty('coverage')) {
    apply plugin: 'jacoco'
    jacoco { toolVersion = '0.8.12' }
}
// What is compiled for the oldest JVM is tested on each.
tasks.withType(JavaCompile) { options.compilerArgs += ['--release', '11'] }
";
/// With this rule, the test in which it happens fails.
const RULE: &str = "    @org.junit.Rule
    public final dev.regiontrack.junit4.RegionTrackRule violations = new dev.regiontrack.junit4.RegionTrackRule();
";
/// Integration tests with arguments of their own.
const AFTER_SUREFIRE: &str = "        <version>3.5.2</version>\n      </plugin>\n";
const FAILSAFE: &str = "      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-failsafe-plugin</artifactId>
        <version>3.5.2</version>
        <configuration><includes><include>OrderTest</include></includes><argLine>-Xmx300m</argLine></configuration>
        <executions><execution><goals><goal>integration-test</goal><goal>verify</goal></goals></execution></executions>
      </plugin>
";
/// The tests are turned off or skipped, run without the agent, or run without its argument; or nothing is watched.
const OFF: &str = "
test {
    enabled = !project.hasProperty('off')
    onlyIf { !project.hasProperty('skipped') }
    regiontrack.enabled = !project.hasProperty('plain')
    if (project.hasProperty('replaced')) { doFirst { jvmArgs = ['-Xmx300m'] } }
}
regiontrack {
    include = project.hasProperty('nothing') ? 'org.other.*' : ''
    options = project.hasProperty('sourceless') ? 'sources=none' : ''
    failOnIncomplete = !project.hasProperty('lenient')
}
";
/// A class in the folder of tests that has none.
const NO_TEST: &str = "package com.acme.prices; class Other {}";
const CACHE: &str = "
buildCache { local(DirectoryBuildCache) { directory = new File(rootDir, 'cache') } }
";
/// The workers of Gradle 4.4.1 set a security manager, which newer JVMs do not have.
const NEWEST_OF_GRADLE: u32 = 23;

fn with_gradle(project: &Project, toolchain: &Toolchain, repository: &Path, agent: &Path, jvms: &[Jvm]) -> Outcome {
    let call = |words: &[&str]| gradle(project, toolchain, repository, words);
    project.appends("build.gradle", OFF)?;
    project.fails(call(&["check"]), &[FOUND])?;
    project.has_found("build/reports/regiontrack", 1)?;
    project.has(&["build/reports/regiontrack/index.html", "build/reports/regiontrack/regiontrack.sarif"])?;
    // What ran before is judged only by a task that is asked for.
    project.passes(call(&["build", "-x", "test"]), &[":regiontrackCheck NO-SOURCE"])?;
    project.fails(call(&["regiontrackCheck", "-x", "test"]), &[FOUND])?;
    project.passes(call(&["check", "-Poff"]), &[":test SKIPPED", ":regiontrackCheck NO-SOURCE"])?;
    project.passes(call(&["check", "-Pskipped"]), &[":test SKIPPED", ":regiontrackCheck NO-SOURCE"])?;
    // The reports are still there, and count again.
    project.fails(call(&["check"]), &[":test UP-TO-DATE", FOUND])?;
    project.has_lines("build/reports/regiontrack", true)?;
    project.fails(call(&["check", "-Psourceless"]), &[FOUND])?;
    project.has_lines("build/reports/regiontrack", false)?;
    without_judgement(project, &call)?;
    project.passes(call(&["check", "-Pplain"]), &[":regiontrackCheck NO-SOURCE"])?;
    project.passes(call(&["regiontrackCheck", "-x", "test"]), &[":regiontrackCheck NO-SOURCE"])?;
    project.fails(call(&["check"]), &[FOUND])?;
    project
        .passes(call(&["test", "run", "regiontrackBaseline"]), &[":test UP-TO-DATE", "tea: 3", "1 finding, 1 added"])?;
    project.has(&[BASELINE])?;
    // The test itself fails, and what it has found is known from then on.
    project.removes(BASELINE)?;
    let (dependency, version) = ("    testImplementation", publish::VERSION);
    let with_junit = format!("{dependency} 'dev.regiontrack:regiontrack-junit:{version}'\n{dependency}");
    project.changes("build.gradle", dependency, &with_junit)?;
    project.changes(PRICES_TEST, "    @Test\n", &format!("{RULE}    @Test\n"))?;
    let added = "1 finding, 1 added";
    project.fails(call(&["test", "regiontrackBaseline", "--continue"]), &["ViolationError", added])?;
    project.removes(BASELINE)?;
    project.passes(call(&["regiontrackBaseline"]), &[added])?;
    project.passes(call(&["clean", "regiontrackBaseline"]), &["no finding to add: no JVM has left a report"])?;
    project.passes(call(&["check"]), &[KNOWN])?;
    project.changes("build.gradle", &with_junit, dependency)?;
    project.changes(PRICES_TEST, RULE, "")?;
    // A daemon that already runs has no agent.
    project.passes_under_run(call(&["check", "--no-daemon"]), "build", agent, &["RegionTrack is skipped in :test"])?;
    // The tests are not up to date: their reports are missing.
    project.passes(call(&["check"]), &[KNOWN])?;
    project.fix()?;
    project.passes(call(&["check"]), &["regiontrackCheck"])?;
    // Broken again, in several JVMs.
    project.changes(SOURCE, FIXED, BROKEN)?;
    project.appends("build.gradle", FORKS)?;
    project.appends("settings.gradle", CACHE)?;
    project.fails(call(&["check", "-Pcoverage"]), &[FOUND])?;
    project.has_found("build/reports/regiontrack", 2)?;
    project.has(&["build/jacoco/test.exec"])?;
    // Results from the cache bring their reports.
    project.fails(call(&["check", "--build-cache"]), &[FOUND])?;
    project.fails(call(&["clean", "check", "--build-cache"]), &[":test FROM-CACHE", FOUND])?;
    project.has_found("build/reports/regiontrack", 2)?;
    for jvm in jvms.iter().filter(|jvm| jvm.version <= NEWEST_OF_GRADLE) {
        let of = format!("-Pjvm={}", jvm.java.display());
        project.fails(call(&["clean", "check", "-Pguided", &of]), &[FOUND])?;
    }
    project.has(&[GRADLES_PROFILE])?;
    // What watches everything is not up to date if it was guided before; and what is guided is never cached.
    for _ in 0..2 {
        project.fails(call(&["clean", "check", "-Pguided", "--build-cache"]), &[FOUND])?;
        project.has_said(":test FROM-CACHE", false)?;
        project.was_guided("build/reports/regiontrack", true)?;
    }
    project.fails(call(&["check"]), &[FOUND])?;
    project.was_guided("build/reports/regiontrack", false)?;
    // A file that only the options name.
    project.writes("own.supp", "method:com.acme.prices.Prices.price\n")?;
    project.passes(call(&["check", "-Psuppressed"]), &["its only finding is suppressed"])?;
    project.writes("own.supp", "method:com.acme.prices.Other.**\n")?;
    project.fails(call(&["check", "-Psuppressed"]), &[FOUND])
}

/// Tests without the agent are not taken for tests that have shown nothing, and where nothing is to be judged a build
/// passes.
fn without_judgement(project: &Project, call: &dyn Fn(&[&str]) -> Command) -> Outcome {
    let lacks = "tests of test have run, and no JVM with the agent";
    project.fails(call(&["check", "-Preplaced"]), &[lacks])?;
    // They are not up to date, because it may be the machine that kept the agent out.
    project.fails(call(&["check", "-Preplaced"]), &[lacks])?;
    project.has_said(":test UP-TO-DATE", false)?;
    project.passes(call(&["check", "-Preplaced", "-Plenient"]), &[lacks])?;
    project.passes(call(&["check", "-Preplaced", "-Pskipped"]), &[":regiontrackCheck NO-SOURCE"])?;
    project.passes(call(&["check", "-Pnothing"]), &["nothing was judged here", "no class was watched"])?;
    // First without any class, and then with one that is no test.
    project.moves(TESTS, "tests")?;
    project.passes(call(&["check"]), &[":regiontrackCheck NO-SOURCE"])?;
    let other = format!("{TESTS}/Other.java");
    project.writes(&other, NO_TEST)?;
    project.passes(call(&["check", "-Preplaced"]), &[":regiontrackCheck NO-SOURCE"])?;
    project.removes(&other)?;
    fs::remove_dir(project.folder.join(TESTS)).map_err(|e| Failure(format!("{TESTS}: {e}")))?;
    project.moves("tests", TESTS)
}

/// Checks that `runs` runs have written a profile.
fn counts_runs(profile: &Path, runs: usize) -> Outcome {
    let text = fs::read_to_string(profile).map_err(|e| Failure(format!("{}: {e}", profile.display())))?;
    let line = format!("runs {runs}");
    if text.lines().any(|found| found == line) {
        Ok(())
    } else {
        Err(Failure(format!("{}: no line `{line}` in it", profile.display())))
    }
}

/// Two projects of a build with the plugin in both: tests of one project use the other.
fn with_projects(project: &Project, toolchain: &Toolchain, repository: &Path) -> Outcome {
    project.changes(
        "settings.gradle",
        "rootProject.name = 'prices'",
        "rootProject.name = 'shop'\ninclude 'prices', 'orders'",
    )?;
    project.parts()?;
    project.moves("build.gradle", "prices/build.gradle")?;
    let build = project.text("prices/build.gradle")?;
    project
        .writes("orders/build.gradle", &format!("{build}\ndependencies {{ implementation project(':prices') }}\n"))?;
    let call = |words: &[&str]| gradle(project, toolchain, repository, words);
    project.fails(call(&["check", "--continue"]), &[FOUND])?;
    project.has_found("prices/build/reports/regiontrack", 1)?;
    // Nothing is wrong in that project.
    project.passes(call(&[":orders:check", "-x", ":prices:check"]), &[":orders:regiontrackCheck"])?;
    project.has(&["orders/build/reports/regiontrack/index.html"])
}

fn gradle(project: &Project, toolchain: &Toolchain, repository: &Path, words: &[&str]) -> Command {
    let mut command = toolchain.gradle_command(&project.folder, words);
    command.arg(format!("-PregiontrackRepository={}", repository.display()));
    command
}

/// A copy of an example.
struct Project {
    folder: PathBuf,
}

impl Project {
    fn copy(example: &Path, folder: &Path) -> Result<Project, Failure> {
        let cannot = |e: std::io::Error| Failure(format!("copy {} to {}: {e}", example.display(), folder.display()));
        let mut files = Vec::new();
        files::walk(example, Path::new(""), &mut files).map_err(cannot)?;
        for file in files {
            let copy = folder.join(&file);
            let above = copy.parent().expect("a file lies in a folder");
            fs::create_dir_all(above).and_then(|()| fs::copy(example.join(&file), &copy)).map_err(cannot)?;
        }
        Ok(Project { folder: folder.to_owned() })
    }

    /// Adds this repository to those in which Maven looks for plugins and libraries.
    fn asks(&self, repository: &Path) -> Outcome {
        let settings = self.folder.join("settings.xml");
        let here = format!("<id>here</id><url>file://{}</url>", repository.display());
        let text = format!(
            "<settings><profiles><profile><id>here</id><repositories><repository>{here}</repository></repositories>\
             <pluginRepositories><pluginRepository>{here}</pluginRepository></pluginRepositories></profile></profiles>\
             <activeProfiles><activeProfile>here</activeProfile></activeProfiles></settings>"
        );
        fs::write(&settings, text).map_err(|e| Failure(format!("{}: {e}", settings.display())))
    }

    /// Makes the method atomic and removes the baseline.
    fn fix(&self) -> Outcome {
        self.changes(SOURCE, BROKEN, FIXED)?;
        self.removes(BASELINE)
    }

    /// Removes a file.
    fn removes(&self, file: &str) -> Outcome {
        let path = self.folder.join(file);
        fs::remove_file(&path).map_err(|e| Failure(format!("{}: {e}", path.display())))
    }

    /// Splits the sources into two parts, of which the second needs the first.
    fn parts(&self) -> Outcome {
        self.moves("src/main", "prices/src/main")?;
        let tests = [("PricesTest", "prices"), ("OrderTest", "orders")];
        tests.iter().try_for_each(|(test, part)| {
            self.moves(&format!("{TESTS}/{test}.java"), &format!("{part}/{TESTS}/{test}.java"))
        })
    }

    /// Moves a file or folder.
    fn moves(&self, from: &str, to: &str) -> Outcome {
        let to = self.room_for(to)?;
        fs::rename(self.folder.join(from), &to).map_err(|e| Failure(format!("{}: {e}", to.display())))
    }

    /// Writes a file.
    fn writes(&self, file: &str, text: &str) -> Outcome {
        let path = self.room_for(file)?;
        fs::write(&path, text).map_err(|e| Failure(format!("{}: {e}", path.display())))
    }

    /// Returns a path in the project, after creating its folder.
    fn room_for(&self, file: &str) -> Result<PathBuf, Failure> {
        let path = self.folder.join(file);
        let above = path.parent().expect("it lies in the project's folder");
        fs::create_dir_all(above).map_err(|e| Failure(format!("{}: {e}", above.display())))?;
        Ok(path)
    }

    fn appends(&self, file: &str, text: &str) -> Outcome {
        self.writes(file, &(self.text(file)? + text))
    }

    /// Replaces a part of a file; the part must be present.
    fn changes(&self, file: &str, old: &str, new: &str) -> Outcome {
        let text = self.text(file)?;
        if !text.contains(old) {
            let path = self.folder.join(file);
            return Err(Failure(format!("{}: has no part like that in xtask/src/plugins.rs: {old}", path.display())));
        }
        self.writes(file, &text.replacen(old, new, 1))
    }

    fn text(&self, file: &str) -> Result<String, Failure> {
        let path = self.folder.join(file);
        fs::read_to_string(&path).map_err(|e| Failure(format!("{}: {e}", path.display())))
    }

    fn passes(&self, command: Command, says: &[&str]) -> Outcome {
        self.ends(command, true, says)
    }

    fn fails(&self, command: Command, says: &[&str]) -> Outcome {
        self.ends(command, false, says)
    }

    /// Runs a build with the agent already in each JVM, as under `regiontrack run`: the build passes, and a report in
    /// this folder has the findings.
    fn passes_under_run(&self, command: Command, folder: &str, agent: &Path, says: &[&str]) -> Outcome {
        let folder = self.folder.join(folder);
        let report = folder.join("of-run-%p.json");
        let options = format!("\"-javaagent:{}=format=json,report={}\"", agent.display(), report.display());
        self.ends_with(command, Some(&options), true, says)?;
        let cannot = |e: std::io::Error| Failure(format!("{}: {e}", folder.display()));
        for entry in fs::read_dir(&folder).map_err(cannot)? {
            let entry = entry.map_err(cannot)?;
            let is_one = entry.file_name().to_string_lossy().starts_with("of-run-");
            if is_one && fs::read_to_string(entry.path()).map_err(cannot)?.contains(METHOD) {
                return Ok(());
            }
        }
        Err(Failure(format!("{}: no report of-run-*.json has {METHOD}", folder.display())))
    }

    fn ends(&self, command: Command, well: bool, says: &[&str]) -> Outcome {
        self.ends_with(command, None, well, says)
    }

    /// Runs a build, with these options for each JVM; it must end in the given way and print the given lines.
    fn ends_with(&self, mut command: Command, options: Option<&str>, well: bool, says: &[&str]) -> Outcome {
        let log = self.folder.with_extension("log");
        let failed = |why: String| Failure(format!("`{}` in {}: {why}", shown(&command), self.folder.display()));
        let outputs = File::create(&log).and_then(|file| Ok((file.try_clone()?, file)));
        let (output, errors) = outputs.map_err(|e| failed(format!("{}: {e}", log.display())))?;
        println!("{}", shown(&command));
        java::without_options(&mut command);
        command.envs(options.map(|options| ("JAVA_TOOL_OPTIONS", options)));
        command.stdin(Stdio::null()).stdout(output).stderr(errors);
        let status = command.status();
        let failed = |why: String| {
            let text = fs::read_to_string(&log).unwrap_or_default();
            Failure(format!("`{}` in {}: {why}; it printed:\n{text}", shown(&command), self.folder.display()))
        };
        let status = status.map_err(|e| failed(format!("did not start: {e}")))?;
        if status.success() != well {
            return Err(failed(format!("ended with {status}, and should {}", if well { "pass" } else { "fail" })));
        }
        let text = fs::read_to_string(&log).map_err(|e| failed(e.to_string()))?;
        match says.iter().find(|words| !text.contains(**words)) {
            Some(missing) => Err(failed(format!("does not say '{missing}'"))),
            None => Ok(()),
        }
    }

    /// Checks that the last build has printed this, or has not.
    fn has_said(&self, words: &str, said: bool) -> Outcome {
        let log = self.folder.with_extension("log");
        let text = fs::read_to_string(&log).map_err(|e| Failure(format!("{}: {e}", log.display())))?;
        if text.contains(words) == said {
            return Ok(());
        }
        Err(Failure(format!("{}: says '{words}': {}", log.display(), !said)))
    }

    /// Checks that the report in this folder is of tests that a profile has guided, or of others.
    fn was_guided(&self, folder: &str, guided: bool) -> Outcome {
        let file = format!("{folder}/regiontrack.json");
        let report: Value = serde_json::from_str(&self.text(&file)?).map_err(|e| Failure(format!("{file}: {e}")))?;
        // A summary of several runs only has a warning.
        let is_guided = report["guided"].is_object() || report["warnings"].to_string().contains("guided by a profile");
        if is_guided == guided {
            return Ok(());
        }
        Err(Failure(format!("{}/{file}: guided by a profile: {is_guided}", self.folder.display())))
    }

    /// Checks that the page in this folder has lines of sources, or has none.
    fn has_lines(&self, folder: &str, has: bool) -> Outcome {
        let page = format!("{folder}/index.html");
        if self.text(&page)?.contains("<code class=\"source\">") == has {
            return Ok(());
        }
        Err(Failure(format!("{}/{page}: has lines of sources: {}", self.folder.display(), !has)))
    }

    /// Checks that these files exist.
    fn has(&self, files: &[&str]) -> Outcome {
        match files.iter().find(|file| !self.folder.join(file).is_file()) {
            Some(missing) => Err(Failure(format!("{} has no {missing}", self.folder.display()))),
            None => Ok(()),
        }
    }

    /// Checks that the report in this folder covers this many JVMs, has the one finding, and knows whose code it is.
    fn has_found(&self, folder: &str, jvms: usize) -> Outcome {
        let file = format!("{folder}/regiontrack.json");
        let report: Value = serde_json::from_str(&self.text(&file)?).map_err(|e| Failure(format!("{file}: {e}")))?;
        let list = |key: &str| report[key].as_array().cloned().unwrap_or_default();
        let methods: Vec<String> =
            list("violations").iter().filter_map(|one| Some(one["method"].as_str()?.to_owned())).collect();
        let runs = list("runs").len().max(1);
        let is_own = report["application"] == serde_json::json!(["com.acme.prices"]);
        if methods == [METHOD] && runs == jvms && is_own {
            return Ok(());
        }
        Err(Failure(format!(
            "{}/{file}: expected {METHOD} in {jvms} JVMs, of com.acme.prices; found {methods:?} in {runs}, of {}",
            self.folder.display(),
            report["application"]
        )))
    }
}
