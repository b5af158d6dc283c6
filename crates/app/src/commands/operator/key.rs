//! `manilla operator key`: a key of one's own. It must not open the database.

use clap::Args;
use domain::operator::PublicKey;
use serde::Serialize;

use super::name;
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::{key_file, signer_or_new};
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla operator key --name beta
  manilla operator key --name beta --operator-key beta.key --json

Makes the key, unless the file holds one already. Give the public key to an operator, who adds
it.")]
pub(crate) struct OperatorKeyOptions {
    /// Name of the operator: 2 to 32 characters of a-z, 0-9 and -
    #[arg(long)]
    name: String,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    name: &'a str,
    public_key: String,
    file: String,
}

pub(super) fn run(options: &OperatorKeyOptions, config: &Config) -> Result<(), Failure> {
    let name = name(&options.name)?;
    let signer = signer_or_new(config, &name)?;
    let key = PublicKey(signer.key.public());
    let file = key_file(config)?.display().to_string();
    if options.json {
        return Ok(output::json(&Answer {
            name: name.as_str(),
            public_key: key.to_string(),
            file,
        })?);
    }
    Ok(output::line(format!(
        "The key of {name} is in {file}, under its passphrase. An operator adds it with:\n\n  \
         manilla operator add --name {name} --public-key {key}"
    ))?)
}
