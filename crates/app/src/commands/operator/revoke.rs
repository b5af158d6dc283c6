//! `manilla operator revoke`. The last operator must not be revoked: nothing could be done any
//! more.

use clap::Args;
use domain::operator::{Act, OperatorOrder};
use serde::Serialize;

use super::name;
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::sign;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla operator revoke --name beta
  manilla operator revoke --name beta --json

One operator is enough, because a stolen key cannot wait. Adding another takes two operators, so
revoke an operator who leaves after the successor was added.")]
pub(crate) struct OperatorRevokeOptions {
    /// Name of the operator
    #[arg(long)]
    name: String,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    name: &'a str,
    status: &'static str,
}

pub(super) async fn run(options: &OperatorRevokeOptions, config: &Config) -> Result<(), Failure> {
    let name = name(&options.name)?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let order = OperatorOrder::new(Act::OperatorRevoke).under(&name);
    let signed = sign(&context, config, &order).await;
    context.close().await;
    signed?;
    if options.json {
        return Ok(output::json(&Answer {
            name: name.as_str(),
            status: "revoked",
        })?);
    }
    Ok(output::line(format!("{name} signs nothing any more."))?)
}
