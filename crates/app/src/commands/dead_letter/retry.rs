//! `manilla dead-letter retry`. It must work beside a running server, which tries what is due.

use clap::Args;
use domain::operator::{Act, OperatorOrder};
use serde::Serialize;

use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::sign;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla dead-letter retry
  manilla dead-letter retry --json

Every change that waits is due at once; the running server tries each within a second or two. What
cannot be applied still waits again, see `manilla dead-letter list`.")]
pub(crate) struct DeadLetterRetryOptions {
    /// One JSON document for scripts
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Serialize)]
struct Document {
    due: u64,
}

pub(super) async fn run(options: &DeadLetterRetryOptions, config: &Config) -> Result<(), Failure> {
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let due = async {
        sign(&context, config, &OperatorOrder::new(Act::DeadLetterRetry)).await?;
        Ok::<_, Failure>(context.changes.make_due(context.now()).await?)
    };
    let due = due.await;
    context.close().await;
    let due = due?;
    if options.json {
        return Ok(output::json(&Document { due })?);
    }
    Ok(output::line(format!(
        "{due} dead letters are due now; the running server tries them."
    ))?)
}
