//! What an image is asked: the audit, what was acknowledged, and whether the program starts on it.
//! It must look at the image only through the program and the database's own library.

use crate::image::Image;
use crate::recording::{Acknowledged, Recording, promised};
use rusqlite::{Connection, OpenFlags};
use std::collections::HashMap;
use tests::folder::GatewayFolder;
use tests::merchant::TestMerchant;
use tests::process::GatewayProcess;
use tests::provider_journal;

/// An image, written down.
#[derive(Debug)]
pub(crate) struct WrittenImage {
    folder: GatewayFolder,
}

impl WrittenImage {
    pub(crate) fn new(image: &Image) -> Self {
        let folder = GatewayFolder::embedded_empty();
        image.write(&folder.data());
        Self { folder }
    }

    /// The program's own audit, the sandbox's file included.
    pub(crate) fn is_audited(&self) {
        provider_journal::audit_is_clean(&self.folder);
    }

    /// The acknowledged payments that are not as they were acknowledged.
    pub(crate) fn lost(&self, acknowledged: &[Acknowledged]) -> Vec<String> {
        let stored = self.stored();
        let mut lost = Vec::new();
        for (reference, states) in promised(acknowledged) {
            let state = stored.get(reference).map(String::as_str);
            let kept = state.map_or(states.is_empty(), |state| states.contains(&state));
            if !kept {
                lost.push(format!(
                    "{reference} is {state:?} and not one of {states:?}"
                ));
            }
        }
        lost
    }

    fn stored(&self) -> HashMap<String, String> {
        let path = self.folder.data().join("manilla.db");
        // It must not be made here: the program takes a database for one that has accounts.
        let Ok(database) = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
        else {
            return HashMap::new();
        };
        let Ok(mut statement) = database.prepare("SELECT reference, state FROM transactions")
        else {
            return HashMap::new();
        };
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
        rows.expect("the transactions")
            .map(|row| row.expect("a transaction"))
            .collect()
    }

    /// Starts the program on the image; where the account was made, its key works.
    pub(crate) async fn starts(&self, recording: &Recording, has_account: bool) {
        let server = GatewayProcess::start(&self.folder);
        if has_account {
            let credentials = &recording.account.credentials;
            let merchant = TestMerchant::new(&self.folder, server.address(), credentials);
            merchant.balance().await;
        }
        assert!(server.terminate().await.success());
        self.is_audited();
    }
}
