//! What packages, containers and proxies are set up with, checked by the programs that read it:
//! systemd, nginx, haproxy, dpkg and the schemas of Kubernetes. It must not install or start
//! anything.

mod proxies;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

pub(crate) use self::proxies::{HAPROXY, HAPROXY_ACCOUNT, NGINX, ProxyFiles, substituted};
use crate::dist::staging::ReleaseFiles;
use crate::dist::{self, completions, debian, sample};
use crate::packages;
use crate::process::Run;
use crate::repo::Repo;

const UNIT: &str = "packaging/systemd/manilla.service";
const PROGRAM_OF_UNIT: &str = "/usr/bin/manilla";
const MANIFESTS: &str = "packaging/kubernetes";
const CONTENTS: &str = "packaging/debian/contents.txt";

/// The most that `systemd-analyze security` may find the service to be exposed, in tenths: what the
/// unit leaves open is the network, and that there is no image of its own.
const EXPOSURE_MAX: &str = "11";

/// The release that is installed from the Python package index.
const KUBERNETES_VALIDATE: &str = "kubernetes-validate==1.37.0";

/// The oldest version of Kubernetes that the manifests are for, and the newest that is known.
const KUBERNETES: [&str; 2] = ["1.30", "1.37"];

#[derive(Args, Debug, Default)]
pub(crate) struct PackagingOptions {
    /// Use this program and build none
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

pub(crate) fn run(repo: &Repo, options: &PackagingOptions) -> Result<()> {
    let folder = tempfile::tempdir().context("no folder for what is checked")?;
    unit(repo, folder.path())?;
    proxies::check(repo, folder.path())?;
    manifests(repo)?;
    scripts(repo)?;
    package(repo, options, folder.path())?;
    println!("the unit, the proxies, the manifests, the scripts and the package are in order");
    Ok(())
}

/// Reads the unit as systemd does. It exits with 0 after a warning, so nothing may be printed.
fn unit(repo: &Repo, folder: &Path) -> Result<()> {
    let unit = fs::read_to_string(repo.root().join(UNIT));
    let unit = unit.with_context(|| format!("{UNIT} cannot be read"))?;
    let unit = substituted(unit, UNIT, &[(PROGRAM_OF_UNIT, "/bin/true")])?;
    let path = folder.join("manilla.service");
    fs::write(&path, unit)?;
    let path = path.to_string_lossy();
    let verify = Run::new("systemd-analyze", ["verify", "--man=no", &path]);
    println!("$ {verify}");
    let needed = "systemd-analyze is needed, such as of Debian's package systemd";
    let (works, printed) = verify.quiet(repo.root()).context(needed)?;
    if !works || !printed.trim().is_empty() {
        bail!("{UNIT} is not in order:\n{printed}");
    }
    let threshold = format!("--threshold={EXPOSURE_MAX}");
    let security = [
        "security",
        "--offline=true",
        "--no-pager",
        &threshold,
        &path,
    ];
    let (works, printed) = Run::new("systemd-analyze", security).quiet(repo.root())?;
    println!("{}", printed.lines().last().unwrap_or_default());
    if !works {
        bail!("{UNIT} leaves more open than it did:\n{printed}");
    }
    Ok(())
}

fn manifests(repo: &Repo) -> Result<()> {
    let home = repo.target()?.join("kubernetes-validate");
    packages::python(repo, &home, &[KUBERNETES_VALIDATE])?;
    let files = repo.files()?;
    let files = files.iter().filter(|file| file.starts_with(MANIFESTS));
    let files: Vec<_> = files.map(String::as_str).collect();
    if files.is_empty() {
        bail!("{MANIFESTS} has no manifests");
    }
    let program = home.join("bin/kubernetes-validate");
    for version in KUBERNETES {
        let options = ["--strict", "--quiet", "-k", version];
        let options = options.into_iter().chain(files.iter().copied());
        Run::new(&program.to_string_lossy(), options).stream(repo.root())?;
    }
    Ok(())
}

/// Has the shell read the scripts without running them.
fn scripts(repo: &Repo) -> Result<()> {
    let scripts = debian::SCRIPTS.map(|script| format!("{}/{script}", debian::FOLDER));
    let build = "packaging/container/build.sh".to_owned();
    for script in scripts.iter().chain([&build]) {
        Run::new("sh", ["-n", script]).stream(repo.root())?;
    }
    Ok(())
}

/// Builds the package twice around a stand-in for the program, and compares what is in it with the
/// list. The settings are the program's own.
fn package(repo: &Repo, options: &PackagingOptions, folder: &Path) -> Result<()> {
    let program = if let Some(binary) = &options.binary {
        std::path::absolute(binary)?
    } else {
        Run::cargo(["build", "--locked", "--package", "app"]).stream(repo.root())?;
        repo.target()?.join("debug/manilla")
    };
    let files = ReleaseFiles {
        program: b"in place of the program, of GLIBC_2.34\0",
        settings: &sample::of(&program)?,
        completions: &completions::of(&program)?,
        version: &dist::version(repo)?,
        epoch: dist::epoch(repo)?,
    };
    let again = folder.join("again");
    fs::create_dir(&again)?;
    let package = debian::make(repo, &files, folder)?;
    if fs::read(&package)? != fs::read(debian::make(repo, &files, &again)?)? {
        bail!("the package differs from the same package made again");
    }
    let package = package.to_string_lossy();
    let listed = Run::new("dpkg-deb", ["--contents", &package]).capture(folder)?;
    let listed: Vec<_> = listed.lines().filter_map(without_date).collect();
    let wanted = fs::read_to_string(repo.root().join(CONTENTS))?;
    if listed != wanted.lines().collect::<Vec<_>>() {
        bail!(
            "the package has not what {CONTENTS} lists, but:\n{}",
            listed.join("\n")
        );
    }
    Ok(())
}

/// Mode, owner and name of a line such as
/// `-rw-r--r-- root/root 123 2027-01-31 10:00 ./usr/bin/manilla`.
fn without_date(line: &str) -> Option<String> {
    let mut words = line.split_whitespace();
    let (mode, owner) = (words.next()?, words.next()?);
    let name = words.nth(3)?;
    Some(format!("{mode} {owner} {name}"))
}

#[cfg(test)]
mod tests {
    use super::without_date;

    #[test]
    fn what_is_listed_of_a_package_is_compared_without_sizes_and_dates() {
        let line = "-rw-r--r-- root/root       123 2027-01-31 10:00 ./usr/bin/manilla";
        let expected = "-rw-r--r-- root/root ./usr/bin/manilla";
        assert_eq!(without_date(line).as_deref(), Some(expected));
        assert_eq!(without_date("total"), None);
    }
}
