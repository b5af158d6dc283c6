//! Where the books of a suite are: in a file of its folder, or in a database of its own. A suite
//! must not ask which of the two it is, unless it looks into the store behind the program's back.

use crate::program;
use postgres_cluster::{Cluster, TestDatabase};
use std::process::Command;

/// The variable that says which store suites run over.
const CHOICE: &str = "MANILLA_TEST_STORE";

/// The setting that names the database to the program.
const DATABASE: &str = "MANILLA_DATABASE";

/// The books of one folder.
#[derive(Debug)]
pub(crate) enum StoreKind {
    /// A file in the folder.
    Embedded,
    /// A database.
    Shared(TestDatabase),
}

impl StoreKind {
    /// The store this run is about: the embedded one by default.
    pub(crate) fn of_this_run() -> Self {
        match std::env::var(CHOICE).as_deref() {
            Err(_) | Ok("embedded") => Self::Embedded,
            Ok("postgres") => Self::shared(),
            Ok(other) => panic!("{CHOICE} is `embedded` or `postgres`, not `{other}`"),
        }
    }

    /// A database of its own, with the schema in it.
    pub(crate) fn shared() -> Self {
        Self::on(Cluster::shared())
    }

    /// A database of a server, with the schema in it.
    pub(crate) fn on(cluster: &Cluster) -> Self {
        let store = Self::Shared(cluster.database());
        let mut migrate = program::command(&["migrate"]);
        store.label(&mut migrate);
        program::run(migrate).well();
        store
    }

    /// The same books in another cluster.
    pub(crate) fn move_to(&mut self, cluster: &Cluster) {
        match self {
            Self::Embedded => panic!("the books are a file"),
            Self::Shared(database) => *database = database.within(cluster),
        }
    }

    /// The address of the same books in a cluster that follows theirs.
    pub(crate) fn url_in(&self, cluster: &Cluster) -> String {
        match self {
            Self::Embedded => panic!("the books are a file"),
            Self::Shared(database) => cluster.url(database.name()),
        }
    }

    /// Has a call of the program work on these books.
    pub(crate) fn label(&self, command: &mut Command) {
        match self {
            Self::Embedded => {}
            Self::Shared(database) => {
                command.env(DATABASE, database.url());
            }
        }
    }
}
