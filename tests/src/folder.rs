//! A data folder of one suite, with its books, settings and accounts. It goes when the suite ends,
//! and must not be shared by two.

use crate::operators::{self, TestOperator};
use crate::program::{self, ProgramOutput};
use crate::secret;
use crate::store::StoreKind;
use postgres_cluster::{Cluster, TestDatabase};
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use tempfile::TempDir;

/// Outcomes that come within seconds. The answer window leaves room for the second look at what was
/// not found, 1.75 s after the order, and ends before what is slow.
pub const QUICK: &str = "\
[payment]
answer_window_ms = 3000

[sandbox]
pending_delay_ms = 500
slow_ms = 4000
quarantine_ms = 500
not_found_min = 2
not_found_spacing_ms = 200
";

/// Settings for many purchases at a time. Merchants wait 300 ms, so that what never ends does not
/// hold the load up, and answers take a few milliseconds, so that a kill meets some under way.
/// `payment` has further lines of that section.
#[must_use]
pub fn under_load(payment: &str) -> String {
    format!(
        "[payment]\nanswer_window_ms = 300\n{payment}\n\
         [sandbox]\npending_delay_ms = 500\nslow_ms = 1500\nquarantine_ms = 500\n\
         not_found_min = 2\n\
         not_found_spacing_ms = 200\nlatency_min_ms = 0\nlatency_max_ms = 20\n"
    )
}

/// No request is limited, and events may be delivered to this machine.
pub const OPEN: &str = "\
[limits]
payments_per_minute = 1000000
payments_at_once = 1000000
bulks_per_minute = 1000000
reads_per_minute = 1000000
lookups_per_minute = 1000000

[webhook]
allow_loopback = true
";

/// The bank account that merchants pay top-ups to.
pub const PAID_TO: &str = "\
[topup]
bank_name = \"Test Bank\"
account_number = \"0123456789\"
account_name = \"Manilla Tests\"
";

/// A data folder.
#[derive(Debug)]
pub struct GatewayFolder {
    root: TempDir,
    store: StoreKind,
    environment: Vec<(&'static str, String)>,
    /// Set once its first operator was added.
    has_operator: OnceLock<()>,
    /// Where the provider keeps its journal, where that is another process.
    provider: Option<PathBuf>,
}

/// Who buys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MerchantCredentials {
    pub identity: String,
    pub key: String,
    /// The serial number of a sender that was approved for it.
    pub sender: String,
}

/// The name the approved sender of every account has.
pub const SENDER_NAME: &str = "CornerShop";

impl GatewayFolder {
    /// A new folder with the given settings, over the store this run is about.
    #[must_use]
    pub fn with(settings: &str) -> Self {
        Self::empty().furnished(settings)
    }

    /// A new folder whose data folder does not exist yet, over the store this run is about.
    #[must_use]
    pub fn empty() -> Self {
        Self::over(StoreKind::of_this_run())
    }

    /// A new folder with the given settings whose books are a file in it, whatever the run is
    /// about.
    #[must_use]
    pub fn embedded(settings: &str) -> Self {
        Self::embedded_empty().furnished(settings)
    }

    /// A new folder whose data folder does not exist yet and whose books will be a file in it,
    /// whatever the run is about.
    #[must_use]
    pub fn embedded_empty() -> Self {
        Self::over(StoreKind::Embedded)
    }

    /// A new folder with the given settings over a database, whatever the run is about: any number
    /// of processes may serve it.
    #[must_use]
    pub fn shared(settings: &str) -> Self {
        Self::over(StoreKind::shared()).furnished(settings)
    }

    /// A new folder with the given settings over a database of a server that the suite stops, or
    /// sets back to an older state.
    #[must_use]
    pub fn on(cluster: &Cluster, settings: &str) -> Self {
        Self::over(StoreKind::on(cluster)).furnished(settings)
    }

    fn over(store: StoreKind) -> Self {
        let root = TempDir::new().expect("a temporary folder");
        operators::install(root.path());
        Self {
            root,
            store,
            environment: Vec::new(),
            has_operator: OnceLock::new(),
            provider: None,
        }
    }

    /// The same folder with further variables in the environment of every call of the program.
    #[must_use]
    pub fn in_environment(mut self, variables: &[(&'static str, String)]) -> Self {
        self.environment.extend_from_slice(variables);
        self
    }

    /// The same folder, with a provider that keeps its journal elsewhere.
    #[must_use]
    pub fn with_provider(mut self, data: PathBuf) -> Self {
        self.provider = Some(data);
        self
    }

    /// Where the provider keeps its journal: the data folder, unless it is another process.
    #[must_use]
    pub fn provider_data(&self) -> PathBuf {
        self.provider.clone().unwrap_or_else(|| self.data())
    }

    /// Whether the provider is another process, which the gateway has to reach first.
    #[must_use]
    pub const fn has_provider_process(&self) -> bool {
        self.provider.is_some()
    }

    fn furnished(self, settings: &str) -> Self {
        let private = DirBuilder::new().mode(0o700).create(self.data());
        private.expect("the data folder");
        secret::write(self.data().join("manilla.toml"), settings);
        self
    }

    /// The database of its books, where they are in one: for a look behind the program's back.
    #[must_use]
    pub const fn database(&self) -> Option<&TestDatabase> {
        match &self.store {
            StoreKind::Embedded => None,
            StoreKind::Shared(database) => Some(database),
        }
    }

    /// From now on the books are those in another cluster: a standby, or a server on a backup.
    ///
    /// # Panics
    /// When they are a file.
    pub fn move_to(&mut self, cluster: &Cluster) {
        self.store.move_to(cluster);
    }

    /// The address of its books in a cluster that follows theirs.
    #[must_use]
    pub fn url_in(&self, cluster: &Cluster) -> String {
        self.store.url_in(cluster)
    }

    /// The data folder.
    #[must_use]
    pub fn data(&self) -> PathBuf {
        self.root.path().join("data")
    }

    /// The file of the embedded store; `None` where the books are in a database.
    #[must_use]
    pub fn database_file(&self) -> Option<PathBuf> {
        match &self.store {
            StoreKind::Embedded => Some(self.data().join("manilla.db")),
            StoreKind::Shared(_) => None,
        }
    }

    /// A place beside the data folder for files of the suite.
    #[must_use]
    pub fn beside(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// A call of the program on this folder and its books, by its first operator.
    #[must_use]
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program::command(arguments);
        command.envs(operators::ALPHA.environment(self.root.path()));
        command.arg("--data").arg(self.data());
        self.store.label(&mut command);
        command.envs(self.environment.iter().cloned());
        command
    }

    /// Runs an administrative command on this folder.
    #[must_use]
    pub fn run(&self, arguments: &[&str]) -> ProgramOutput {
        program::run(self.command(arguments))
    }

    /// Runs a command as another operator than the first.
    #[must_use]
    pub fn run_as(&self, operator: &TestOperator, arguments: &[&str]) -> ProgramOutput {
        let mut command = self.command(arguments);
        command.envs(operator.environment(self.root.path()));
        program::run(command)
    }

    /// Adds the first operator, who signs what the suite does.
    pub fn has_operator(&self) {
        self.has_operator.get_or_init(|| {
            let _ = self
                .run(&["operator", "add", "--name", operators::ALPHA.name])
                .well();
        });
    }

    /// Makes the key of the first operator for requests over HTTP, in place of the one before.
    ///
    /// # Panics
    /// When none could be made.
    #[must_use]
    pub fn operator_key(&self) -> (String, String) {
        self.has_operator();
        let made = self.run(&["operator", "http-key", "--json"]).well().json();
        let text = |name: &str| made[name].as_str().expect("a text").to_owned();
        (text("name"), text("key"))
    }

    /// Adds an operator beside the first.
    pub fn has_also(&self, operator: &TestOperator) {
        let named = ["--name", operator.name, "--public-key", operator.public_key];
        let _ = self
            .run(&[&["operator", "add"], &named[..]].concat())
            .well();
    }

    /// Makes an account with a balance and an approved sender.
    #[must_use]
    pub fn account(&self, name: &str, balance: &str) -> MerchantCredentials {
        self.account_with(name, balance, &[])
    }

    /// The same with real money.
    #[must_use]
    pub fn live_account(&self, name: &str, balance: &str) -> MerchantCredentials {
        self.account_with(name, balance, &["--live"])
    }

    fn account_with(&self, name: &str, balance: &str, flags: &[&str]) -> MerchantCredentials {
        let named = ["--name", name, "--balance", balance, "--json"];
        let arguments = [&["account", "create"], &named[..], flags].concat();
        self.has_operator();
        let made = self.run(&arguments).well().json();
        let text = |field: &str| {
            let value = made[field].as_str();
            value
                .unwrap_or_else(|| panic!("no `{field}` in {made}"))
                .to_owned()
        };
        let identity = text("mrcIdentity");
        MerchantCredentials {
            sender: self.sender(&identity, SENDER_NAME, &["--approved"]),
            key: text("mrcAPIKey"),
            identity,
        }
    }

    /// Registers a sender of an account, with further flags, and gives its serial number.
    #[must_use]
    pub fn sender(&self, identity: &str, name: &str, flags: &[&str]) -> String {
        let named = ["--identity", identity, "--name", name, "--json"];
        let arguments = [&["sender", "add"], &named[..], flags].concat();
        let added = self.run(&arguments).well().json();
        let serial = added["serial"].as_str();
        serial
            .unwrap_or_else(|| panic!("no serial number in {added}"))
            .to_owned()
    }

    /// The certificate clients trust, in PEM.
    #[must_use]
    pub fn certificate(&self) -> Vec<u8> {
        read(&self.data().join("ca.pem"))
    }
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
