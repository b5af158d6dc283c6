//! Judges a dependency graph by a table of layers. It must stay pure: both are arguments.

use super::graph::{ArrowKind, Dependency, DependencyOrigin, Package};
use super::table::Layer;

/// What breaks the table, one sentence each, with the manifest it stands in.
pub(crate) fn violations(layers: &[Layer], packages: &[Package]) -> Vec<String> {
    let mut found = Vec::new();
    for package in packages {
        let Some(layer) = layers.iter().find(|layer| layer.name == package.name) else {
            found.push(format!(
                "{}: crate `{}` has no row in the table of layers",
                package.manifest, package.name
            ));
            continue;
        };
        let complaints = package
            .dependencies
            .iter()
            .filter_map(|used| complaint(layer, used));
        found.extend(complaints.map(|complaint| format!("{}: {complaint}", package.manifest)));
    }
    for layer in layers {
        if !packages.iter().any(|package| package.name == layer.name) {
            found.push(format!(
                "Cargo.toml: `{}` has a row but is not a crate here",
                layer.name
            ));
        }
    }
    found
}

fn complaint(layer: &Layer, used: &Dependency) -> Option<String> {
    match used.origin {
        DependencyOrigin::Ours => complaint_about_ours(layer, used),
        DependencyOrigin::Others => complaint_about_others(layer, used),
    }
}

fn complaint_about_ours(layer: &Layer, used: &Dependency) -> Option<String> {
    let name = used.name.as_str();
    let in_tests = layer.may_use_in_tests.contains(&name);
    if layer.may_use.contains(&name) || (in_tests && used.kind == ArrowKind::Tests) {
        return None;
    }
    let crate_name = layer.name;
    Some(match (in_tests, used.kind) {
        (true, ArrowKind::Product | ArrowKind::Tests) => {
            format!("`{crate_name}` may use `{name}` as a dev-dependency only")
        }
        (false, ArrowKind::Product) => format!("`{crate_name}` may not depend on `{name}`"),
        (false, ArrowKind::Tests) => {
            format!("`{crate_name}` may not depend on `{name}`, not even in its tests")
        }
    })
}

fn complaint_about_others(layer: &Layer, used: &Dependency) -> Option<String> {
    let forbidden = layer
        .forbids
        .iter()
        .find(|root| is_of_family(&used.name, root))?;
    (used.kind == ArrowKind::Product).then(|| {
        format!(
            "`{}` must not use `{}`: it forbids `{forbidden}`",
            layer.name, used.name
        )
    })
}

fn is_of_family(name: &str, root: &str) -> bool {
    name.strip_prefix(root)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('-') || rest.starts_with('_'))
}

#[cfg(test)]
mod tests {
    use super::super::graph::{ArrowKind, Dependency, DependencyOrigin, Package};
    use super::super::table::Layer;
    use super::violations;

    const LAYERS: &[Layer] = &[
        Layer {
            name: "core",
            may_use: &[],
            may_use_in_tests: &["kit"],
            forbids: &["tokio"],
        },
        Layer {
            name: "shell",
            may_use: &["core"],
            may_use_in_tests: &["kit"],
            forbids: &[],
        },
        Layer {
            name: "kit",
            may_use: &["core"],
            may_use_in_tests: &[],
            forbids: &[],
        },
    ];

    fn package(name: &str, dependencies: Vec<Dependency>) -> Package {
        Package {
            name: name.into(),
            manifest: format!("{name}/Cargo.toml"),
            dependencies,
        }
    }

    fn uses(name: &str, origin: DependencyOrigin, kind: ArrowKind) -> Dependency {
        Dependency {
            name: name.into(),
            origin,
            kind,
        }
    }

    /// What is found when `core` has these dependencies and the other crates are in order.
    fn found_in_core(dependencies: Vec<Dependency>) -> Vec<String> {
        let shell = vec![uses("core", DependencyOrigin::Ours, ArrowKind::Product)];
        let packages = [
            package("core", dependencies),
            package("shell", shell),
            package("kit", vec![]),
        ];
        violations(LAYERS, &packages)
    }

    #[test]
    fn a_graph_that_keeps_to_the_table_passes() {
        let dependencies = vec![
            uses("kit", DependencyOrigin::Ours, ArrowKind::Tests),
            uses("thiserror", DependencyOrigin::Others, ArrowKind::Product),
        ];
        assert_eq!(found_in_core(dependencies), [""; 0]);
    }

    #[test]
    fn an_arrow_against_the_direction_is_found() {
        assert_eq!(
            found_in_core(vec![uses(
                "shell",
                DependencyOrigin::Ours,
                ArrowKind::Product
            )]),
            ["core/Cargo.toml: `core` may not depend on `shell`"]
        );
    }

    #[test]
    fn tests_do_not_excuse_an_arrow_against_the_direction() {
        assert_eq!(
            found_in_core(vec![uses(
                "shell",
                DependencyOrigin::Ours,
                ArrowKind::Tests
            )]),
            ["core/Cargo.toml: `core` may not depend on `shell`, not even in its tests"]
        );
    }

    #[test]
    fn a_test_helper_in_the_product_is_found() {
        assert_eq!(
            found_in_core(vec![uses(
                "kit",
                DependencyOrigin::Ours,
                ArrowKind::Product
            )]),
            ["core/Cargo.toml: `core` may use `kit` as a dev-dependency only"]
        );
    }

    #[test]
    fn a_forbidden_crate_and_its_family_are_found() {
        let dependencies = vec![
            uses("tokio", DependencyOrigin::Others, ArrowKind::Product),
            uses("tokio-util", DependencyOrigin::Others, ArrowKind::Product),
            uses("tokionate", DependencyOrigin::Others, ArrowKind::Product),
        ];
        assert_eq!(
            found_in_core(dependencies),
            [
                "core/Cargo.toml: `core` must not use `tokio`: it forbids `tokio`",
                "core/Cargo.toml: `core` must not use `tokio-util`: it forbids `tokio`",
            ]
        );
    }

    #[test]
    fn a_forbidden_crate_may_serve_in_tests() {
        assert_eq!(
            found_in_core(vec![uses(
                "tokio",
                DependencyOrigin::Others,
                ArrowKind::Tests
            )]),
            [""; 0]
        );
    }

    #[test]
    fn an_unknown_crate_is_found() {
        let packages = ["core", "shell", "kit", "extra"].map(|name| package(name, vec![]));
        assert_eq!(
            violations(LAYERS, &packages),
            ["extra/Cargo.toml: crate `extra` has no row in the table of layers"]
        );
    }

    #[test]
    fn a_row_without_a_crate_is_found() {
        let packages = ["core", "shell"].map(|name| package(name, vec![]));
        assert_eq!(
            violations(LAYERS, &packages),
            ["Cargo.toml: `kit` has a row but is not a crate here"]
        );
    }
}
