//! `manilla config`: the settings in force. It must never show a secret.

use clap::Args;
use serde::Serialize;

use crate::config::{Config, SettingView};
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla config                              every setting with its source
  manilla config --json --data /var/lib/manilla
  manilla config --template > manilla-data/manilla.toml")]
pub(crate) struct ConfigOptions {
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
    /// A configuration file with every setting explained, instead
    #[arg(long, conflicts_with = "json")]
    pub(crate) template: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    file: Option<String>,
    settings: Vec<Setting<'a>>,
}

#[derive(Serialize)]
struct Setting<'a> {
    name: &'a str,
    value: &'a str,
    source: &'a str,
    env: Option<&'a str>,
}

impl<'a> Setting<'a> {
    fn of(shown: &'a SettingView) -> Self {
        Self {
            name: &shown.name,
            value: &shown.value,
            source: shown.source,
            env: shown.env,
        }
    }
}

pub(crate) fn run(options: &ConfigOptions, config: &Config) -> Result<(), Failure> {
    let file = config.file.as_ref().map(|path| path.display().to_string());
    if options.json {
        let settings = config.shown.iter().map(Setting::of).collect();
        return Ok(output::json(&Document { file, settings })?);
    }
    let rows: Vec<[String; 2]> = config
        .shown
        .iter()
        .map(|shown| [shown.line(), format!("# {}", shown.origin())])
        .collect();
    output::line(format!(
        "# file: {}",
        file.as_deref().unwrap_or("none was found")
    ))?;
    Ok(output::line(output::columns(&rows))?)
}
