//! The packages of this workspace and what their manifests name, from `cargo metadata`. It must
//! not judge them.

use anyhow::{Context, Result};
use cargo_metadata::{DependencyKind, MetadataCommand};

use crate::repo::Repo;

#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// Relative to the root of the repository.
    pub(crate) manifest: String,
    pub(crate) dependencies: Vec<Dependency>,
}

#[derive(Debug)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) origin: DependencyOrigin,
    pub(crate) kind: ArrowKind,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum DependencyOrigin {
    /// In this repository.
    Ours,
    Others,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum ArrowKind {
    /// Part of what the crate is, build scripts included.
    Product,
    /// A dev-dependency.
    Tests,
}

pub(crate) fn load(repo: &Repo) -> Result<Vec<Package>> {
    let metadata = MetadataCommand::new()
        .current_dir(repo.root())
        .no_deps()
        .exec()
        .context("the manifests cannot be read")?;
    let root = metadata.workspace_root;
    Ok(metadata
        .packages
        .into_iter()
        .map(|package| Package {
            manifest: match package.manifest_path.strip_prefix(&root) {
                Ok(relative) => relative.to_string(),
                Err(_) => package.manifest_path.to_string(),
            },
            name: package.name.to_string(),
            dependencies: package.dependencies.into_iter().map(dependency).collect(),
        })
        .collect())
}

fn dependency(declared: cargo_metadata::Dependency) -> Dependency {
    Dependency {
        name: declared.name,
        origin: if declared.path.is_some() {
            DependencyOrigin::Ours
        } else {
            DependencyOrigin::Others
        },
        kind: match declared.kind {
            DependencyKind::Development => ArrowKind::Tests,
            DependencyKind::Normal | DependencyKind::Build | DependencyKind::Unknown => {
                ArrowKind::Product
            }
        },
    }
}
