//! `manilla status`: how the gateway stands, in one screen. It must reach no provider and change
//! nothing.

mod attention;
mod document;

use clap::Args;

pub(in crate::commands) use self::attention::CERTIFICATE_MIN;
use self::document::Document;
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla status
  manilla status --json

ATTENTION names what a person should look at, each with the command that shows more. Exit status:
0 if there is nothing of that, 1 otherwise. Times are in UTC.

It reads what is kept, beside a running server or without one. What a server measures while it runs
(requests, latencies, circuits) is at its monitoring address, `monitoring.listen`.")]
pub(crate) struct StatusOptions {
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(options: &StatusOptions, config: &Config) -> Result<(), Failure> {
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let read = Document::read(&context, config).await;
    context.close().await;
    let document = read?;
    let is_well = document.needs_no_attention();
    if options.json {
        output::json(&document)?;
    } else {
        output::line(document.text())?;
    }
    if is_well {
        Ok(())
    } else {
        Err(Failure::AlreadyReported)
    }
}
