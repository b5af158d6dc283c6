//! The command line: what can be asked, and handing it to the command that does it. It must not do
//! anything itself.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory as _, Parser, Subcommand};
use tokio::runtime::Runtime;

use crate::commands::{
    self, account, approve, audit, backup, case, catalogue, collection, completions, dead_letter,
    delivery, doctor, endpoint, freeze, key, key_ring, manual, migrate, operator, provider,
    reconcile, refund, restore, review, sender, serve, status, transaction, webhook,
};
use crate::config::{self, Config, Flags};
use crate::failure::{self, Failure};
use crate::registry::Registry;
use crate::{output, telemetry};

/// A payment gateway you run yourself: bills, payouts, messages, lookups; every kobo in the books
#[derive(Debug, Parser)]
#[command(name = "manilla", version, after_help = EXAMPLES, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    common: Common,
    #[arg(
        long,
        value_name = "ADDR:PORT",
        help = "Address and port to answer on [default: 127.0.0.1:8443] [env: MANILLA_LISTEN]"
    )]
    listen: Option<String>,
    /// Without a command: `serve`, after opening a test account if there is none at all
    #[command(subcommand)]
    command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples:
  manilla                                     try it: makes everything, prints curl lines
  manilla serve --listen 0.0.0.0:8443 --data /var/lib/manilla
  manilla operator add --name alpha           become the first operator, who signs what follows
  manilla account create --name 'Corner shop' --balance 1000000.00 --json
  manilla sender add --identity shop_1 --name CornerShop --approved
  manilla audit --json
  manilla migrate --database 'postgres://manilla@db.internal/manilla?sslmode=verify-full'

The books are kept in the folder named by --data, or in the database named by --database. Settings
come from manilla.toml in that folder (or the file named by --config), then from the environment,
then from flags; `manilla config` shows each with its source, `manilla config --template` explains
each.";

/// Above the options that every command takes.
const EVERYWHERE: &str = "Options of every command";

#[derive(Debug, Args)]
struct Common {
    #[arg(
        long,
        global = true, help_heading = EVERYWHERE,
        value_name = "DIR",
        help = "Folder of everything that is kept [default: manilla-data] [env: MANILLA_DATA]"
    )]
    data: Option<PathBuf>,
    #[arg(
        long,
        global = true, help_heading = EVERYWHERE,
        value_name = "URL",
        help = "PostgreSQL database of the books, postgres://USER:PASSWORD@HOST:PORT/NAME; without \
                it they are in the folder; better set MANILLA_DATABASE than show a password here"
    )]
    database: Option<String>,
    #[arg(
        long,
        global = true, help_heading = EVERYWHERE,
        value_name = "FILE",
        help = "Configuration file [default: DIR/manilla.toml if it is there] [env: MANILLA_CONFIG]"
    )]
    config: Option<PathBuf>,
    #[arg(
        long,
        global = true, help_heading = EVERYWHERE,
        value_name = "NAME=VALUE",
        help = "Any setting, such as sandbox.pending_delay_ms=100; may be repeated"
    )]
    set: Vec<String>,
    #[arg(
        long,
        global = true, help_heading = EVERYWHERE,
        value_name = "LEVEL",
        help = "off, error, warn, info, debug or trace [env: MANILLA_LOG_LEVEL]"
    )]
    log_level: Option<String>,
    #[arg(
        long,
        global = true, help_heading = EVERYWHERE,
        value_name = "FORMAT",
        help = "text or json [env: MANILLA_LOG_FORMAT]"
    )]
    log_format: Option<String>,
    #[arg(
        long,
        global = true, help_heading = EVERYWHERE,
        value_name = "FILE",
        help = "File of the key of the operator who acts [env: MANILLA_OPERATOR_KEY]"
    )]
    operator_key: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve merchants over HTTPS until stopped
    Serve(serve::ServeOptions),
    /// Open, credit, suspend and list merchant accounts
    #[command(subcommand)]
    Account(account::AccountCommand),
    /// Rotate and revoke API keys
    #[command(subcommand)]
    Key(key::KeyCommand),
    /// Add to and list the keys that seal what the gateway keeps
    #[command(subcommand)]
    KeyRing(key_ring::KeyRingCommand),
    /// Register, approve and list the names messages are sent under
    #[command(subcommand)]
    Sender(sender::SenderCommand),
    /// Add, list and revoke the operators who sign what is done, and show what they did
    #[command(subcommand)]
    Operator(operator::OperatorCommand),
    /// Show and test the accounts at providers, and the routes to them
    #[command(subcommand)]
    Provider(provider::ProviderCommand),
    /// Stop an account, a key, a service, a provider, or every payment
    Freeze(freeze::FreezeOptions),
    /// Let go on what an operator froze
    Unfreeze(freeze::UnfreezeOptions),
    /// Publish what is sold and for how much, from a moment on, and show what changes
    #[command(subcommand)]
    Catalogue(catalogue::CatalogueCommand),
    /// Make the books in a database, or bring them up to date
    Migrate(migrate::MigrateOptions),
    /// Copy the embedded store beside a running server, and check copies
    #[command(subcommand)]
    Backup(backup::BackupCommand),
    /// Put a copy of the embedded store in place, with payments suspended
    Restore(restore::RestoreOptions),
    /// Compare the books with a provider: its settlement files, or all of it after a restore
    Reconcile(reconcile::ReconcileOptions),
    /// Check the invariants of the stored ledger; exit status 1 if one is broken
    Audit(audit::AuditOptions),
    /// List payments, and show one with its attempts, events, transfers and deliveries
    #[command(subcommand)]
    Transaction(transaction::TransactionCommand),
    /// Grant or refuse the changes that other operators asked for over HTTP
    Approve(approve::ApproveOptions),
    /// Show everything that waits for a person as one queue, and resolve it
    #[command(subcommand)]
    Case(case::CaseCommand),
    /// Decide the refunds that merchants ask for
    #[command(subcommand)]
    Refund(refund::RefundCommand),
    /// Payments that arrive at your bank for merchants' collections
    #[command(subcommand)]
    Collection(collection::CollectionCommand),
    /// Decide payments that wait for a person
    #[command(subcommand)]
    Review(review::ReviewCommand),
    /// Show changes of providers that could not be applied, and have them tried again
    #[command(subcommand)]
    DeadLetter(dead_letter::DeadLetterCommand),
    /// List where merchants have events delivered to
    #[command(subcommand)]
    Endpoint(endpoint::EndpointCommand),
    /// List what is on its way to merchants' endpoints, and what became of it
    #[command(subcommand)]
    Delivery(delivery::DeliveryCommand),
    /// Receive events as a merchant would, and have them delivered again
    #[command(subcommand)]
    Webhook(webhook::WebhookCommand),
    /// Show how the gateway stands: what waits, what is suspended, and what needs attention
    Status(status::StatusOptions),
    /// Check everything that keeps a gateway from working well; exit status 1 if something fails
    Doctor(doctor::DoctorOptions),
    /// Show the settings that are in force, each with its source
    Config(commands::config::ConfigOptions),
    /// Write what a shell needs to complete commands and options
    Completions(completions::CompletionsOptions),
    /// Write the manual of every command
    Man(manual::ManualOptions),
}

/// Does what the command line says.
pub(crate) fn main(registry: &Registry) -> ExitCode {
    let in_json = asks_for_json(std::env::args_os().skip(1));
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if in_json && error.use_stderr() => {
            output::complain(failure::document(&sentence(&error), &[]));
            return ExitCode::from(2);
        }
        // Help and the version too; where they cannot be shown there is nothing else to do.
        Err(error) => error.exit(),
    };
    match run(cli, registry) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let said = if in_json {
                failure.document()
            } else {
                failure.message()
            };
            if let Some(said) = said {
                output::complain(said);
            }
            failure.exit_code()
        }
    }
}

/// Whether the answer is for a script, which then reads errors as JSON too. It is looked for by
/// itself, because a command line that cannot be understood is answered like that as well.
fn asks_for_json(arguments: impl Iterator<Item = OsString>) -> bool {
    let mut options = arguments.take_while(|argument| argument != "--");
    options.any(|argument| argument == "--json")
}

/// What is wrong with a command line and how it is used, on one line.
fn sentence(error: &clap::Error) -> String {
    let text = error.to_string();
    let lines = text.lines().map(str::trim);
    let said = lines.filter(|line| !line.is_empty() && !line.starts_with("For more information"));
    let said: Vec<_> = said.collect();
    said.join("; ").trim_start_matches("error: ").to_owned()
}

/// What needs no settings, where it is that.
fn without_settings(command: &Command, registry: &Registry) -> Option<Result<(), Failure>> {
    if let Command::Config(options) = command
        && options.template
    {
        let shown = output::line(config::template(registry).trim_end());
        return Some(shown.map_err(Failure::from));
    }
    if let Command::Completions(options) = command {
        return Some(completions::run(options, Cli::command()));
    }
    if let Command::Man(options) = command {
        return Some(manual::run(options, Cli::command()));
    }
    // Copies are checked where there is no gateway, too.
    if let Command::Backup(backup::BackupCommand::Verify(options)) = command {
        let runtime = runtime().map_err(Failure::from);
        return Some(runtime.and_then(|it| it.block_on(backup::verify(options))));
    }
    None
}

fn run(cli: Cli, registry: &Registry) -> Result<(), Failure> {
    let adapters = registry.check();
    adapters.map_err(|wrong| Failure::usage(anyhow::anyhow!(wrong)))?;
    let (command, flags) = understood(cli)?;
    if let Some(done) = without_settings(&command, registry) {
        return done;
    }
    let loaded = config::load(&flags, config::environment(), registry);
    // What is wrong with the settings is among its answers, and so is what others would log.
    if let Command::Doctor(options) = &command {
        return runtime()?.block_on(Box::pin(doctor::run(options, loaded)));
    }
    let config = loaded.map_err(Failure::usage)?;
    let log = match command {
        Command::Serve(_) | Command::Provider(provider::ProviderCommand::ServeSandbox(_)) => {
            config.log
        }
        Command::Account(_)
        | Command::Key(_)
        | Command::KeyRing(_)
        | Command::Sender(_)
        | Command::Operator(_)
        | Command::Provider(_)
        | Command::Freeze(_)
        | Command::Unfreeze(_)
        | Command::Catalogue(_)
        | Command::Migrate(_)
        | Command::Backup(_)
        | Command::Restore(_)
        | Command::Reconcile(_)
        | Command::Audit(_)
        | Command::Transaction(_)
        | Command::Approve(_)
        | Command::Case(_)
        | Command::Refund(_)
        | Command::Collection(_)
        | Command::Review(_)
        | Command::DeadLetter(_)
        | Command::Endpoint(_)
        | Command::Delivery(_)
        | Command::Webhook(_)
        | Command::Status(_)
        | Command::Doctor(_)
        | Command::Completions(_)
        | Command::Man(_)
        | Command::Config(_) => config.log_of_a_command(),
    };
    let is_server = matches!(command, Command::Serve(_));
    let logging = telemetry::start(log, is_server.then_some(&config.traces))?;
    // Said once where the program stays, not by every command that is run beside it.
    if is_server {
        for warning in &config.warnings {
            tracing::warn!("{warning}");
        }
    }
    let runtime = runtime()?;
    let done = runtime.block_on(execute(command, config));
    // Tasks that still run were asked to stop and given their time.
    runtime.shutdown_background();
    if !matches!(done, Err(Failure::Interrupted)) {
        telemetry::flush_traces();
    }
    // Before the last word of the command, which goes to the same place.
    drop(logging);
    done
}

fn runtime() -> io::Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
}

/// The command, with the settings of the command line. A bare `manilla` starts a trial.
fn understood(cli: Cli) -> Result<(Command, Flags), Failure> {
    let Common {
        data,
        database,
        config,
        set,
        log_level,
        log_format,
        operator_key,
    } = cli.common;
    let (command, listen) = match (cli.command, cli.listen) {
        (None, listen) => (Command::Serve(serve::ServeOptions::welcoming()), listen),
        (Some(Command::Serve(options)), listen) => {
            let listen = options.listen.clone().or(listen);
            (Command::Serve(options), listen)
        }
        (Some(_), Some(_)) => {
            return Err(Failure::flag("--listen", "belongs to `manilla serve`"));
        }
        (Some(command), None) => (command, None),
    };
    let flags = Flags {
        config,
        data,
        database,
        listen,
        log_level,
        log_format,
        operator_key,
        set,
    };
    Ok((command, flags))
}

async fn execute(command: Command, config: Config) -> Result<(), Failure> {
    match command {
        Command::Serve(options) => Box::pin(serve::run(&options, config)).await,
        Command::Account(command) => account::run(command, &config).await,
        Command::Key(command) => key::run(command, &config).await,
        Command::KeyRing(command) => key_ring::run(&command, &config).await,
        Command::Sender(command) => sender::run(command, &config).await,
        Command::Operator(command) => operator::run(command, &config).await,
        Command::Provider(command) => provider::run(command, &config).await,
        Command::Freeze(options) => freeze::freeze(&options, &config).await,
        Command::Unfreeze(options) => freeze::unfreeze(&options, &config).await,
        Command::Catalogue(command) => catalogue::run(command, &config).await,
        Command::Migrate(options) => migrate::run(&options, &config).await,
        Command::Backup(command) => backup::run(command, &config).await,
        Command::Restore(options) => restore::run(&options, &config).await,
        Command::Reconcile(options) => reconcile::run(&options, &config).await,
        Command::Audit(options) => audit::run(&options, &config).await,
        Command::Transaction(command) => transaction::run(command, &config).await,
        Command::Approve(options) => approve::run(options, &config).await,
        Command::Case(command) => case::run(command, &config).await,
        Command::Refund(command) => refund::run(command, &config).await,
        Command::Collection(command) => collection::run(command, &config).await,
        Command::Review(command) => review::run(command, &config).await,
        Command::DeadLetter(command) => dead_letter::run(command, &config).await,
        Command::Endpoint(command) => endpoint::run(command, &config).await,
        Command::Delivery(command) => delivery::run(command, &config).await,
        Command::Webhook(command) => webhook::run(command, &config).await,
        Command::Status(options) => status::run(&options, &config).await,
        Command::Doctor(options) => Box::pin(doctor::run(&options, Ok(config))).await,
        Command::Config(options) => commands::config::run(&options, &config),
        Command::Completions(options) => completions::run(&options, Cli::command()),
        Command::Man(options) => manual::run(&options, Cli::command()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    fn parsed(line: &str) -> Result<(Command, Flags), Failure> {
        understood(Cli::try_parse_from(line.split(' ')).unwrap())
    }

    #[test]
    fn json_is_asked_for_by_an_option_of_the_command() {
        let asks = |line: &str| asks_for_json(line.split(' ').map(OsString::from));
        assert!(asks("audit --json"));
        assert!(asks("account create --jsn --json"));
        assert!(!asks("audit"));
        assert!(!asks("sender add -- --json"));
    }

    #[test]
    fn a_command_line_that_is_not_understood_is_one_sentence() {
        let error = Cli::try_parse_from(["manilla", "account", "creat", "--json"]).unwrap_err();
        let said = sentence(&error);
        assert!(
            said.starts_with("unrecognized subcommand 'creat'; "),
            "{said}"
        );
        assert!(!said.contains('\n'), "{said}");
    }

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_has_help_with_an_example() {
        fn check(command: &clap::Command) {
            let name = command.get_name();
            assert!(command.get_about().is_some(), "{name} says nothing");
            let examples = command.get_after_help().map(ToString::to_string);
            let is_leaf = command.get_subcommands().count() == 0;
            assert!(
                !is_leaf || examples.is_some_and(|text| text.contains("manilla ")),
                "{name} has no example"
            );
            command.get_subcommands().for_each(check);
        }
        check(&Cli::command());
    }

    #[test]
    fn a_bare_command_line_welcomes_and_serve_does_not() {
        let welcomes = |line| {
            let (command, _) = parsed(line).unwrap();
            matches!(command, Command::Serve(options) if options.welcome)
        };
        assert!(welcomes("manilla"));
        assert!(welcomes("manilla --data d --listen 127.0.0.1:0"));
        assert!(!welcomes("manilla serve --data d"));
    }

    #[test]
    fn the_address_may_stand_before_or_after_serve_and_nowhere_else() {
        let listen = |line| parsed(line).unwrap().1.listen;
        assert_eq!(listen("manilla --listen a:1").as_deref(), Some("a:1"));
        assert_eq!(listen("manilla serve --listen b:2").as_deref(), Some("b:2"));
        assert_eq!(listen("manilla --listen a:1 serve").as_deref(), Some("a:1"));
        assert!(parsed("manilla --listen a:1 account list").is_err());
    }

    #[test]
    fn the_data_folder_may_stand_on_either_side_of_the_command() {
        for line in [
            "manilla --data d account list",
            "manilla account list --data d",
        ] {
            assert_eq!(
                parsed(line).unwrap().1.data,
                Some(PathBuf::from("d")),
                "{line}"
            );
        }
    }
}
