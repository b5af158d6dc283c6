//! The account that buys, in a new database. It must not leave its key anywhere but in memory and
//! in the folder of the proof.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::Deserialize;

use super::answer;
use crate::private_file;
use crate::process::Run;

/// The data folder. Instances share it: then the sandbox is one provider to both, as the audit
/// needs, and they have one certificate.
const DATA: &str = "data";

/// The account, as the program shows it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct OpenedAccount {
    mrc_identity: String,
    #[serde(rename = "mrcAPIKey")]
    mrc_api_key: String,
}

/// The addresses of the database, by the role that each logs in as.
#[derive(Debug)]
pub(in crate::prove) struct ShopDatabase {
    pub(in crate::prove) owner: String,
    pub(in crate::prove) operators: String,
    pub(in crate::prove) servers: String,
    /// The roles of servers and of operators, where they are not the owner.
    pub(in crate::prove) granted: Option<[&'static str; 2]>,
}

impl ShopDatabase {
    /// No address: the books are in a file in the data folder.
    pub(in crate::prove) fn embedded() -> Self {
        Self::of_one_role("")
    }

    /// One role does everything.
    pub(in crate::prove) fn of_one_role(address: &str) -> Self {
        Self {
            owner: address.to_owned(),
            operators: address.to_owned(),
            servers: address.to_owned(),
            granted: None,
        }
    }
}

/// The account and its gateway.
#[derive(Debug)]
pub(in crate::prove) struct Shop {
    pub(in crate::prove) program: PathBuf,
    pub(in crate::prove) database: ShopDatabase,
    /// The serial number of an approved sender of the account.
    pub(in crate::prove) sender: String,
    folder: PathBuf,
    account: OpenedAccount,
}

/// A sender, as the program shows it.
#[derive(Debug, Deserialize)]
struct AddedSender {
    serial: String,
}

impl Shop {
    /// Makes the tables, the first operator, the account and the data folder.
    pub(in crate::prove) fn open(
        program: &Path,
        folder: &Path,
        database: ShopDatabase,
    ) -> Result<Self> {
        DirBuilder::new().mode(0o700).create(folder.join(DATA))?;
        let within = |name: &str| folder.join(name).to_string_lossy().into_owned();
        private_file::write(within("passphrase"), "known to every reader")?;
        let (data, key) = (within(DATA), within("operator.key"));
        let passphrase = format!("operator.passphrase_file={}", within("passphrase"));
        let migrate = ["migrate", "--database", &database.owner, "--data", &data];
        let grants = database.granted.map_or(Vec::new(), |[servers, operators]| {
            vec!["--grant-to", servers, "--grant-to-operators", operators]
        });
        // The file is made by whatever opens it first.
        if !database.owner.is_empty() {
            answer(program, &[&migrate[..], &grants].concat())?;
        }
        let of_gateway = ["--database", &database.operators, "--data", &data];
        let of_operator = ["--operator-key", &key, "--set", &passphrase];
        let command = |words: &[&str]| {
            let arguments = [words, &of_gateway, &of_operator].concat();
            answer(program, &arguments)
        };
        command(&["operator", "add", "--name", "proof"])?;
        let printed = |words: &[&str]| {
            let arguments = [words, &["--json"], &of_gateway, &of_operator].concat();
            Run::new(&program.to_string_lossy(), arguments).capture(folder)
        };
        let create = ["account", "create", "--name", "Proof"];
        let account = printed(&[&create[..], &["--balance", "1000000000.00"]].concat())?;
        let account: OpenedAccount = serde_json::from_str(&account)?;
        let add = ["sender", "add", "--name", "Proof", "--approved"];
        let identity = ["--identity", &account.mrc_identity];
        let sender = printed(&[&add[..], &identity].concat())?;
        let sender: AddedSender = serde_json::from_str(&sender)?;
        Ok(Self {
            program: program.to_path_buf(),
            database,
            sender: sender.serial,
            folder: folder.to_path_buf(),
            account,
        })
    }

    pub(in crate::prove) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(in crate::prove) fn data(&self) -> PathBuf {
        self.folder.join(DATA)
    }

    pub(in crate::prove) fn credentials(&self) -> String {
        format!("{}:{}", self.account.mrc_identity, self.account.mrc_api_key)
    }

    /// Checks the ledger once the instances are gone.
    pub(in crate::prove) fn audit(&self) -> Result<()> {
        let data = self.data().to_string_lossy().into_owned();
        let audit = [
            "audit",
            "--database",
            &self.database.operators,
            "--data",
            &data,
        ];
        println!("{}", answer(&self.program, &audit)?.trim_end());
        Ok(())
    }
}
