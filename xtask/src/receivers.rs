//! What the suites run beside the program: the libraries that the receivers of the documentation
//! need, each from the registry of its language, and an SMSC from another hand. It must not install
//! anything but those.

use anyhow::Result;

use crate::packages;
use crate::repo::Repo;

/// The release for Python.
const PYTHON: &str = "standardwebhooks==1.1.0";

/// The release for JavaScript.
const JAVASCRIPT: &str = "standardwebhooks@1.1.1";

/// The SMSC that messages are sent to.
const SMSC: &str = "smpp@0.5.1";

/// Installs the libraries into the target folder unless they are there: `python/bin/python`,
/// `javascript/node_modules` and `smpp/node_modules` of the folder `receivers`, where the suites
/// look for them.
pub(crate) fn ensure(repo: &Repo) -> Result<()> {
    let home = repo.target()?.join("receivers");
    packages::python(repo, &home.join("python"), &[PYTHON])?;
    packages::javascript(&home.join("javascript"), &[JAVASCRIPT])?;
    packages::javascript(&home.join("smpp"), &[SMSC])
}
