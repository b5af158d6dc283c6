//! Whose tests a mutant is tried with. It must name packages only whose tests are about what the
//! mutant's package does.

/// The package itself, and those whose tests show what it does.
pub(super) fn tested_with(package: &str) -> Vec<&str> {
    let users: &[&str] = match package {
        "domain" | "ports" | "application" => &["application", "testkit"],
        "storage-sql" => &["sqlite"],
        "wire" => &["http-server"],
        _ => &[],
    };
    let users = users.iter().copied().filter(|user| *user != package);
    [package].into_iter().chain(users).collect()
}

#[cfg(test)]
mod tests {
    use super::tested_with;

    #[test]
    fn a_package_comes_first_and_once() {
        assert_eq!(tested_with("application"), ["application", "testkit"]);
        assert_eq!(tested_with("app"), ["app"]);
    }
}
