//! Writes the crate of a new provider's adapter, outside the workspace, from the example of the
//! documentation. It must change no file of the repository.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use clap::Args;

use crate::repo::Repo;

/// Where the example is.
pub(crate) const EXAMPLE: &str = "docs/examples/custom-provider";

/// Longest name: it is that of an account, too, when the account needs no other.
const NAME_MAX: usize = 32;

#[derive(Args, Debug)]
pub(crate) struct NewProviderOptions {
    /// The name of the adapter, such as `my-shop`
    name: String,
    /// Where the crate goes; beside the repository unless said otherwise
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

pub(crate) fn run(repo: &Repo, options: &NewProviderOptions) -> Result<()> {
    let name = &options.name;
    let beside = || Some(repo.root().parent()?.join(name));
    let folder = options.folder.clone().or_else(beside);
    let folder = folder.context("the repository has no folder around it; name one")?;
    write(repo, name, &folder)?;
    let shown = folder.display();
    println!(
        "{shown} holds a gateway with the adapter {name}, which sends nothing yet.\n\n  \
         cd {shown}\n  cargo run -- provider list\n\n\
         src/adapter.rs is where it is written: the settings, the code table `refusal`, what an\n\
         answer means, and the connection. docs/ADDING-A-PROVIDER.md has the rules."
    );
    Ok(())
}

/// Writes the crate into a folder that does not exist yet.
pub(crate) fn write(repo: &Repo, name: &str, folder: &Path) -> Result<()> {
    check(name)?;
    ensure!(
        !folder.exists(),
        "{} exists already; name another folder",
        folder.display()
    );
    fs::create_dir_all(folder.join("src"))
        .with_context(|| format!("{} cannot be made", folder.display()))?;
    let example = repo.root().join(EXAMPLE);
    for file in ["Cargo.toml", "src/main.rs", "src/adapter.rs"] {
        let from = example.join(file);
        let text = fs::read_to_string(&from).with_context(|| from.display().to_string())?;
        fs::write(folder.join(file), renamed(&text, name, repo.root()))?;
    }
    // The versions that the workspace was built and tested with.
    fs::copy(repo.root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    Ok(())
}

fn check(name: &str) -> Result<()> {
    let allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    let starts_well = name.starts_with(|c: char| c.is_ascii_lowercase());
    if !starts_well || name.len() > NAME_MAX || !name.bytes().all(allowed) || name.ends_with('-') {
        bail!(
            "a name is 1 to {NAME_MAX} of a-z 0-9 -, begins with a letter and ends with none of -"
        );
    }
    if ["sandbox", "app", "manilla"].contains(&name) {
        bail!("`{name}` is taken; name the adapter after its provider");
    }
    Ok(())
}

/// A file of the example with the names of the new provider.
fn renamed(text: &str, name: &str, root: &Path) -> String {
    let words = name.split('-').filter(|word| !word.is_empty());
    let capitalised = words.map(|word| {
        let (first, rest) = word.split_at(1);
        format!("{}{rest}", first.to_ascii_uppercase())
    });
    let typed: String = capitalised.collect();
    text.replace("custom-provider", name)
        .replace(
            "../../../crates/app",
            &root.join("crates/app").to_string_lossy(),
        )
        .replace("ShopAdapter", &format!("{typed}Adapter"))
        .replace("ShopProvider", &format!("{typed}Provider"))
        .replace("of Shop,", &format!("of {typed},"))
        .replace("api.shop.example", &format!("api.{name}.example"))
        .replace("`shop`", &format!("`{name}`"))
        .replace("\"shop\"", &format!("\"{name}\""))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{check, renamed};

    #[test]
    fn a_name_is_one_of_an_adapter() {
        for name in ["acme", "my-shop", "x2"] {
            assert!(check(name).is_ok(), "{name}");
        }
        let long = "a".repeat(33);
        for name in [
            "",
            "Acme",
            "2x",
            "-a",
            "a-",
            "a_b",
            "sandbox",
            long.as_str(),
        ] {
            assert!(check(name).is_err(), "{name}");
        }
    }

    #[test]
    fn every_name_of_the_example_becomes_the_new_one() {
        let example = include_str!("../../docs/examples/custom-provider/src/adapter.rs");
        let written = renamed(example, "my-acme", Path::new("/repository"));
        assert!(!written.to_lowercase().contains("shop"), "{written}");
        assert!(written.contains("pub struct MyAcmeAdapter"), "{written}");
        assert!(written.contains("name: \"my-acme\""), "{written}");
    }
}
