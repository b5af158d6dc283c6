//! The authority of the databases and their certificate, made as the page for operators has it.
//! They must serve one run only.

use std::fs::{self, DirBuilder, Permissions};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use postgres_cluster::SystemUser;

use crate::process::Run;

const KEY: [&str; 5] = [
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:prime256v1",
    "-nodes",
];

/// What instances call the database by: the haproxy of their own machine.
pub(super) const NAME: &str = "localhost";

/// Makes the folder `tls`, and gives back where the certificate of the authority is.
pub(super) fn make(home: &Path) -> Result<PathBuf> {
    let folder = home.join("tls");
    DirBuilder::new().mode(0o755).create(&folder)?;
    let names = format!("subjectAltName=DNS:{NAME},DNS:db1.internal,DNS:db2.internal\n");
    fs::write(folder.join("names"), names)?;
    let authority = ["-x509", "-subj", "/CN=Database authority", "-days", "30"];
    let authority_files = ["-keyout", "authority.key", "-out", "authority.pem"];
    let server = ["-subj", "/CN=db.internal", "-keyout", "server.key"];
    let sign = ["x509", "-req", "-in", "server.csr", "-days", "30"];
    let signer = ["-CA", "authority.pem", "-CAkey", "authority.key"];
    let options = ["-CAcreateserial", "-extfile", "names", "-out", "server.pem"];
    let steps = [
        [&["req"], &KEY[..], &authority, &authority_files].concat(),
        [&["req"], &KEY[..], &server, &["-out", "server.csr"]].concat(),
        [&sign[..], &signer, &options].concat(),
    ];
    for step in steps {
        let (works, printed) = Run::new("openssl", step).quiet(&folder)?;
        ensure!(works, "no certificate could be made:\n{printed}");
    }
    let key = folder.join("server.key");
    fs::set_permissions(&key, Permissions::from_mode(0o600))?;
    SystemUser::of_servers().own(&key);
    Ok(folder.join("authority.pem"))
}
