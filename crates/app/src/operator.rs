//! The operator who runs a command: the file of the key, its passphrase, and signing what is about
//! to be done. It must never show a passphrase, nor take one from the command line.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use application::operators::{NotSigned, Signer};
use domain::operator::{OperatorName, OperatorOrder};
use operator_keys::{FileError, KeyFileSealing, SigningKey};

use crate::compose::AdminContext;
use crate::config::Config;
use crate::entropy;
use crate::failure::Failure;
use crate::files::{self, FileAccess};
use crate::secret_files;

/// Fewest characters of a passphrase.
const PASSPHRASE_MIN: usize = 12;

/// The operator responsible for an act.
#[derive(Debug)]
pub(crate) enum SigningAuthority {
    /// The program, for the account that it opens to try things with.
    Program,
    /// An operator.
    Operator(Signer),
}

impl SigningAuthority {
    /// The operator whose key the settings name.
    pub(crate) fn of(config: &Config) -> Result<Self, Failure> {
        Ok(Self::Operator(signer(config)?))
    }

    /// Records what is about to be done.
    pub(crate) async fn sign(
        &self,
        context: &AdminContext,
        order: &OperatorOrder,
    ) -> Result<(), Failure> {
        let signed = match self {
            Self::Program => context.operators.note(order).await,
            Self::Operator(signer) => context.operators.sign(signer, order).await,
        };
        signed.map(drop).map_err(not_signed)
    }
}

/// Has the operator whose key the settings name sign what is about to be done.
pub(crate) async fn sign(
    context: &AdminContext,
    config: &Config,
    order: &OperatorOrder,
) -> Result<OperatorName, Failure> {
    let signer = signer(config)?;
    let entry = context.operators.sign(&signer, order).await;
    entry.map_err(not_signed)?;
    Ok(signer.name)
}

/// Has an operator sign who was asked for the passphrase before.
pub(crate) async fn sign_as(
    context: &AdminContext,
    signer: &Signer,
    order: &OperatorOrder,
) -> Result<(), Failure> {
    let entry = context.operators.sign(signer, order).await;
    entry.map(drop).map_err(not_signed)
}

/// What is said where nothing was signed, with the remedy.
pub(crate) fn not_signed(why: NotSigned) -> Failure {
    let remedy = match &why {
        NotSigned::NoOperators => {
            "nothing was changed; add yourself first: manilla operator add --name NAME".to_owned()
        }
        NotSigned::NoOperator(name) => format!(
            "nothing was changed; have an operator run: manilla operator add --name {name} \
             --public-key …, with what `manilla operator key --name {name}` shows"
        ),
        NotSigned::OtherKey(name) => format!(
            "nothing was changed; name the file of the key that {name} was added with by \
             --operator-key"
        ),
        NotSigned::NotListed(_) | NotSigned::Broken(_) | NotSigned::Behind => {
            "nothing was changed".to_owned()
        }
        NotSigned::Store(_) => {
            "it is not certain that it was signed; nothing else was changed, try again".to_owned()
        }
    };
    Failure::Failed(anyhow!(why).context(remedy))
}

/// The operator whose key the settings name.
pub(crate) fn signer(config: &Config) -> Result<Signer, Failure> {
    let path = key_file(config)?;
    let text = files::read(&path).with_context(|| unusable(&path))?;
    let text = text.ok_or_else(|| {
        anyhow!(
            "an operator must sign this, and there is no key in {}; name yours with --operator-key \
             or MANILLA_OPERATOR_KEY. Who runs this gateway becomes its first operator with \
             `manilla operator add --name NAME`",
            path.display()
        )
    })?;
    if let Some(exposed) = files::exposure(&path).with_context(|| unusable(&path))? {
        return Err(anyhow!("nothing was signed: {exposed}").into());
    }
    let text = String::from_utf8(text).map_err(|_| opened(&path, FileError::Unreadable))?;
    let passphrase = passphrase(config, &format!("Passphrase of {}: ", path.display()))?;
    let (name, key) = operator_keys::open(&text, &passphrase).map_err(|why| opened(&path, why))?;
    let name = OperatorName::parse(&name).map_err(|_| opened(&path, FileError::Unreadable))?;
    Ok(Signer { name, key })
}

/// The key of the settings' file, or a new one in it.
pub(crate) fn signer_or_new(config: &Config, name: &OperatorName) -> Result<Signer, Failure> {
    let path = key_file(config)?;
    if files::read(&path)
        .with_context(|| unusable(&path))?
        .is_some()
    {
        let signer = signer(config)?;
        if signer.name != *name {
            return Err(Failure::flag(
                "--name",
                format!("is not whose key is in {}: {}", path.display(), signer.name),
            ));
        }
        return Ok(signer);
    }
    let passphrase = new_passphrase(config, &path)?;
    let seed = SigningKey::from_seed(entropy::bytes()?).context("no key could be made")?;
    let sealing = KeyFileSealing {
        name: name.as_str(),
        passphrase: &passphrase,
        salt: entropy::bytes()?,
    };
    let text = operator_keys::seal(&seed, sealing)?;
    if let Some(folder) = path.parent().filter(|it| !it.as_os_str().is_empty()) {
        files::private_folder(folder).with_context(|| unusable(&path))?;
    }
    let made = files::create(&path, text.as_bytes(), FileAccess::Private);
    if !made.with_context(|| unusable(&path))? {
        return Err(anyhow!("{} was made by another process meanwhile", path.display()).into());
    }
    Ok(Signer {
        name: name.clone(),
        key: seed,
    })
}

/// Where the key is. It must not lie in the data folder: a copy of that is a backup, and would hold
/// what signs for it.
pub(crate) fn key_file(config: &Config) -> Result<PathBuf, Failure> {
    let path = match &config.operator.key {
        Some(path) => path.clone(),
        None => own_folder()?.join("operator.key"),
    };
    if resolved(&path).starts_with(resolved(&config.data)) {
        return Err(Failure::flag(
            "--operator-key",
            format!(
                "must not lie in the data folder: {} is in {}",
                path.display(),
                config.data.display()
            ),
        ));
    }
    Ok(path)
}

/// The folder of the user's own settings of this program.
fn own_folder() -> anyhow::Result<PathBuf> {
    let folder = |name| std::env::var_os(name).map(PathBuf::from);
    let given = folder("XDG_CONFIG_HOME").filter(|path| path.is_absolute());
    let base = given.or_else(|| folder("HOME").map(|home| home.join(".config")));
    let base = base.context("there is no HOME; name the file of your key with --operator-key")?;
    Ok(base.join("manilla"))
}

/// A path without links, as far as it is there.
fn resolved(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for part in absolute.ancestors() {
        if let Ok(found) = part.canonicalize() {
            let rest = absolute
                .strip_prefix(part)
                .unwrap_or_else(|_| Path::new(""));
            return found.join(rest);
        }
    }
    absolute
}

fn passphrase(config: &Config, prompt: &str) -> Result<String, Failure> {
    match &config.operator.passphrase_file {
        None => prompted_passphrase(prompt),
        Some(file) if file == Path::new("-") => first_line(io::stdin().lock(), file),
        Some(file) => {
            if let Some(warning) = secret_files::guarded(file)? {
                tracing::warn!("{warning}");
            }
            let opened = std::fs::File::open(file);
            let opened = opened.with_context(|| format!("{} cannot be read", file.display()))?;
            first_line(io::BufReader::new(opened), file)
        }
    }
}

fn new_passphrase(config: &Config, path: &Path) -> Result<String, Failure> {
    let prompt = format!("New passphrase for {}: ", path.display());
    let passphrase = passphrase(config, &prompt)?;
    if passphrase.chars().count() < PASSPHRASE_MIN {
        let short = format!("the passphrase must have {PASSPHRASE_MIN} characters or more");
        return Err(Failure::usage(anyhow!(short)));
    }
    if config.operator.passphrase_file.is_none()
        && prompted_passphrase("The same again: ")? != passphrase
    {
        return Err(Failure::usage(anyhow!("the two passphrases differ")));
    }
    Ok(passphrase)
}

fn first_line(mut from: impl io::BufRead, file: &Path) -> Result<String, Failure> {
    let mut line = String::new();
    let read = from.read_line(&mut line);
    read.with_context(|| format!("{} cannot be read", file.display()))?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

fn prompted_passphrase(prompt: &str) -> Result<String, Failure> {
    let typed = rpassword::prompt_password(prompt);
    let typed = typed.context(
        "there is no terminal to ask for the passphrase; name a file that holds it with \
         MANILLA_OPERATOR_PASSPHRASE_FILE, or - for standard input",
    )?;
    Ok(typed)
}

fn unusable(path: &Path) -> String {
    format!("{} cannot be read or written", path.display())
}

fn opened(path: &Path, why: FileError) -> Failure {
    let context = format!("the key in {} cannot be used", path.display());
    Failure::Failed(anyhow!(why).context(context))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use tempfile::TempDir;

    use super::*;

    #[test]
    fn a_path_into_a_folder_is_seen_through_links() {
        let folder = TempDir::new().unwrap();
        let data = folder.path().join("data");
        std::fs::create_dir(&data).unwrap();
        symlink(&data, folder.path().join("link")).unwrap();
        let is_inside =
            |path: &str| resolved(&folder.path().join(path)).starts_with(resolved(&data));
        for inside in [
            "data/a.key",
            "data/new/a.key",
            "link/a.key",
            "link/new/a.key",
        ] {
            assert!(is_inside(inside), "{inside}");
        }
        for outside in ["a.key", "data.key", "new/data/a.key"] {
            assert!(!is_inside(outside), "{outside}");
        }
    }
}
