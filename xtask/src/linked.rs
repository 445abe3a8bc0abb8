//! The packages that are linked into the released files, as cargo resolves them for its platforms.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::Deserialize;

use crate::Failure;
use crate::workspace::{Workspace, shown};

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

/// A package, of this workspace or of others.
#[derive(Deserialize)]
pub(crate) struct Package {
    id: String,
    pub(crate) name: String,
    pub(crate) version: String,
    /// An SPDX expression, if the package has one.
    pub(crate) license: Option<String>,
    pub(crate) description: Option<String>,
    /// Where it comes from; `None` for packages of this workspace.
    pub(crate) source: Option<String>,
    pub(crate) manifest_path: PathBuf,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    kind: Vec<String>,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<Kind>,
}

#[derive(Deserialize)]
struct Kind {
    kind: Option<String>,
}

impl Package {
    /// Macros run in the compiler and are not linked.
    fn is_linked(&self) -> bool {
        self.targets.iter().any(|target| target.kind.iter().any(|kind| kind.contains("lib")))
    }
}

/// A linked package, and the packages that it uses.
pub(crate) struct Linked {
    pub(crate) package: Package,
    /// Names and versions.
    pub(crate) uses: Vec<(String, String)>,
}

/// Returns the external packages that are linked into these packages of the workspace, by name and version.
pub(crate) fn others(workspace: &Workspace, into: &[&str], platforms: &[String]) -> Result<Vec<Package>, Failure> {
    let linked = all(workspace, into, platforms)?.into_iter().map(|linked| linked.package);
    Ok(linked.filter(|package| package.source.is_some()).collect())
}

/// Returns these packages of the workspace and all packages linked into them on these platforms (by cargo's names; by
/// default this one), by name and version.
pub(crate) fn all(workspace: &Workspace, into: &[&str], platforms: &[String]) -> Result<Vec<Linked>, Failure> {
    let mut cargo = workspace.cargo(&["metadata", "--format-version", "1", "--locked"]);
    let this = [host(workspace)?];
    for platform in if platforms.is_empty() { &this } else { platforms } {
        cargo.args(["--filter-platform", platform]);
    }
    let output = cargo.output().map_err(|e| Failure(format!("`{}` did not start: {e}", shown(&cargo))))?;
    let metadata: Metadata = serde_json::from_slice(&output.stdout)
        .map_err(|e| Failure(format!("`{}`: {e}: {}", shown(&cargo), String::from_utf8_lossy(&output.stderr))))?;
    reached(metadata, into)
}

/// Returns the platform that cargo builds for.
pub(crate) fn host(workspace: &Workspace) -> Result<String, Failure> {
    let mut cargo = workspace.cargo(&["--version", "--verbose"]);
    let output = cargo.output().map_err(|e| Failure(format!("`{}` did not start: {e}", shown(&cargo))))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| Failure(format!("`{}` names no host", shown(&cargo))))
}

fn reached(metadata: Metadata, into: &[&str]) -> Result<Vec<Linked>, Failure> {
    let nodes: BTreeMap<String, Node> =
        metadata.resolve.nodes.into_iter().map(|node| (node.id.clone(), node)).collect();
    let mut packages: BTreeMap<String, Package> =
        metadata.packages.into_iter().map(|package| (package.id.clone(), package)).collect();
    let mut roots: BTreeSet<String> = BTreeSet::new();
    for package in into {
        let root = packages.values().find(|one| one.name == *package && one.source.is_none());
        roots.insert(
            root.map(|root| root.id.clone()).ok_or_else(|| Failure(format!("cargo knows no package {package}")))?,
        );
    }
    let is_linked = |id: &str| packages.get(id).is_some_and(Package::is_linked) || roots.contains(id);
    let (mut seen, mut open) = (BTreeMap::new(), Vec::from_iter(roots.iter().cloned()));
    while let Some(id) = open.pop() {
        if seen.contains_key(&id) {
            continue;
        }
        let normal = |dependency: &&Dependency| dependency.dep_kinds.iter().any(|kind| kind.kind.is_none());
        let dependencies = nodes.get(&id).map_or(&[][..], |node| &node.deps).iter().filter(normal);
        let uses: Vec<String> =
            dependencies.map(|dependency| dependency.pkg.clone()).filter(|used| is_linked(used)).collect();
        open.extend(uses.iter().cloned());
        seen.insert(id, uses);
    }
    let named = |id: &String| (packages[id].name.clone(), packages[id].version.clone());
    let uses: BTreeMap<String, Vec<(String, String)>> = seen
        .into_iter()
        .map(|(id, uses)| (id, BTreeSet::from_iter(uses.iter().map(named)).into_iter().collect()))
        .collect();
    let linked = uses.into_iter().filter_map(|(id, uses)| Some(Linked { package: packages.remove(&id)?, uses }));
    let mut linked: Vec<Linked> = linked.collect();
    linked.sort_by(|a, b| {
        let key = |one: &Linked| (one.package.name.clone(), one.package.version.clone());
        key(a).cmp(&key(b))
    });
    Ok(linked)
}
