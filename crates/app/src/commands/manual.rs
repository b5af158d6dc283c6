//! `manilla man`: the manual of every command, made from what `--help` shows. It must not read any
//! setting: it is run where packages and documents are made.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::Context as _;
use clap::{Args, ValueEnum};

use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla man | man -l -                            read it
  manilla man --out /usr/local/share/man/man1       a page of each command
  manilla man --format markdown                     all commands as one document")]
pub(crate) struct ManualOptions {
    #[arg(
        long,
        value_enum,
        default_value_t = Format::Man,
        help = "Pages of man, or one document in Markdown"
    )]
    format: Format,
    #[arg(
        long,
        value_name = "DIR",
        help = "Folder to write pages of man into, one of each command [default: the first page, \
                to standard output]"
    )]
    out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Man,
    Markdown,
}

/// Writes the manual of a command and of all under it.
pub(crate) fn run(options: &ManualOptions, command: clap::Command) -> Result<(), Failure> {
    match (options.format, &options.out) {
        (Format::Markdown, None) => Ok(output::line(markdown(command).trim_end())?),
        (Format::Markdown, Some(_)) => Err(Failure::flag(
            "--out",
            "is for pages of man; a document in Markdown is written to standard output",
        )),
        (Format::Man, None) => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            io::copy(&mut page.as_slice(), &mut io::stdout().lock())?;
            Ok(())
        }
        (Format::Man, Some(folder)) => Ok(pages(command, folder)?),
    }
}

fn pages(command: clap::Command, folder: &Path) -> anyhow::Result<()> {
    let cannot = || format!("the pages cannot be written into {}", folder.display());
    fs::create_dir_all(folder).with_context(cannot)?;
    clap_mangen::generate_to(command, folder).with_context(cannot)
}

/// Above the options that every command takes, which are shown once.
const EVERYWHERE: &str = "\nOptions of every command:\n";

/// All commands as one document.
fn markdown(command: clap::Command) -> String {
    let mut command = command.term_width(100);
    command.build();
    let name = command.get_name().to_owned();
    let mut document = format!(
        "# Commands\n\nWhat `{name} --help` and `{name} COMMAND --help` show. This page is made by \
         `{name} man --format markdown`.\n"
    );
    let help = command.render_help().to_string();
    let _ = write!(document, "\n```text\n{}\n```\n", help.trim_end());
    describe(&mut document, &name, &command);
    document
}

/// Every command under another one, each with the options of its own.
fn describe(document: &mut String, path: &str, command: &clap::Command) {
    let shown = |under: &&clap::Command| under.get_name() != "help" && !under.is_hide_set();
    for under in command.get_subcommands().filter(shown) {
        let path = format!("{path} {}", under.get_name());
        let help = own_help(under);
        let _ = write!(
            document,
            "\n## {path}\n\n```text\n{}\n```\n",
            help.trim_end()
        );
        describe(document, &path, under);
    }
}

/// What is shown of a command, without the options that every command takes.
fn own_help(command: &clap::Command) -> String {
    let help = command.clone().term_width(100).render_help().to_string();
    let Some((before, after)) = help.split_once(EVERYWHERE) else {
        return help;
    };
    // Its section ends at an empty line.
    let rest = after.split_once("\n\n").map_or("", |(_, rest)| rest);
    format!("{}\n\n{rest}", before.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command() -> clap::Command {
        let more = clap::Arg::new("data").long("data").global(true);
        let more = more.help_heading("Options of every command");
        let under = clap::Command::new("list").after_help("Examples:\n  try list");
        let under = clap::Command::new("account").subcommand(under);
        clap::Command::new("try").arg(more).subcommand(under)
    }

    #[test]
    fn every_command_has_a_section_and_common_options_are_shown_once() {
        let document = markdown(command());
        for section in [
            "# Commands\n",
            "\n## try account\n",
            "\n## try account list\n",
        ] {
            assert!(document.contains(section), "{document}");
        }
        assert_eq!(document.matches("--data").count(), 1, "{document}");
        assert!(document.contains("Examples:\n  try list\n"), "{document}");
    }

    #[test]
    fn every_command_has_a_page() {
        let folder = tempfile::tempdir().unwrap();
        pages(command(), &folder.path().join("man1")).unwrap();
        for page in ["try.1", "try-account.1", "try-account-list.1"] {
            assert!(folder.path().join("man1").join(page).is_file(), "{page}");
        }
    }
}
