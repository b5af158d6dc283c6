//! The operators whom suites act as. Their keys stand here for everybody to read, so that no suite
//! has to make one; they must never be added anywhere else.

use crate::secret;
use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// An operator with a key of its own.
#[derive(Debug, Clone, Copy)]
pub struct TestOperator {
    pub name: &'static str,
    pub public_key: &'static str,
    /// The text of the file of the key.
    file: &'static str,
}

impl TestOperator {
    /// The variables that make a call of the program one of this operator.
    #[must_use]
    pub fn environment(&self, folder: &Path) -> [(&'static str, std::path::PathBuf); 2] {
        let key = folder.join(format!("{}.key", self.name));
        let passphrase = folder.join("passphrase");
        [
            ("MANILLA_OPERATOR_KEY", key),
            ("MANILLA_OPERATOR_PASSPHRASE_FILE", passphrase),
        ]
    }
}

/// What opens each key.
pub const PASSPHRASE: &str = "known to every reader\n";

/// The first operator of every suite.
pub const ALPHA: TestOperator = TestOperator {
    name: "alpha",
    public_key: "596dca16d702ef233ec94007c8c31c7ae68e1d7f05dfe3b69b74f1030c76bea3",
    file: include_str!("operators/alpha.key"),
};

/// Another operator, where two are needed.
pub const BETA: TestOperator = TestOperator {
    name: "beta",
    public_key: "816684d288b28fb6359bae2da9966b436951361bb06e688c738dd89d9b7d3330",
    file: include_str!("operators/beta.key"),
};

/// Puts the keys into a folder.
///
/// # Panics
/// When they cannot be written.
pub fn install(folder: &Path) {
    for operator in [ALPHA, BETA] {
        let path = folder.join(format!("{}.key", operator.name));
        let private = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(path);
        let written = private.and_then(|mut file| file.write_all(operator.file.as_bytes()));
        written.expect("the key of an operator");
    }
    secret::write(folder.join("passphrase"), PASSPHRASE);
}
