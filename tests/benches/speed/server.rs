//! A server under measurement, in a process of its own: how it is started, and how a client reaches
//! it. It must end with the benchmark, however that ends.

use anyhow::{Context, Result};
use std::path::Path;
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// How the line begins that says where a server answers.
pub(crate) const READY: &str = "ready https://";

/// A server that is ready.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) process: Child,
    pub(crate) address: String,
    /// What a client has to trust.
    pub(crate) authority: String,
}

impl Server {
    /// Starts a command and waits until it says that it is ready. It shows a certificate signed by
    /// the authority in a file, which may be made by the start.
    pub(crate) async fn start(command: &mut Command, authority: &Path) -> Result<Self> {
        let mut process = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .context("the server did not start")?;
        let output = process.stdout.take().context("no output")?;
        let mut lines = BufReader::new(output).lines();
        let address = loop {
            let line = lines
                .next_line()
                .await?
                .context("the server ended before it was ready")?;
            if let Some(address) = line.strip_prefix(READY) {
                break address.trim().to_owned();
            }
        };
        Ok(Self {
            process,
            address,
            authority: std::fs::read_to_string(authority)?,
        })
    }
}
