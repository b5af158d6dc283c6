//! The sample of the settings that packages install: the program's own template, with the data
//! folder of the service. It must be one that the program accepts.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::process::Run;

/// The line of the template that is another one in a package.
const DATA: &str = "# data = \"manilla-data\"\n";

/// The folder that the unit of systemd makes.
const DATA_OF_SERVICE: &str = "data = \"/var/lib/manilla\"\n";

/// Has the program write the sample, and read it again.
pub(crate) fn of(program: &Path) -> Result<String> {
    let folder = tempfile::tempdir().context("no folder for the sample of the settings")?;
    let name = program.to_string_lossy();
    let template = Run::new(&name, ["config", "--template"]).capture(folder.path())?;
    let sample = with_data_folder(&template)?;
    fs::write(folder.path().join("manilla.toml"), &sample)?;
    let config = ["config", "--config", "manilla.toml"];
    let shown = Run::new(&name, config).capture(folder.path());
    let shown = shown.context("the program does not read the sample of its settings")?;
    if !shown.contains("data = \"/var/lib/manilla\"") {
        bail!("the program does not take the data folder from the sample of its settings");
    }
    Ok(sample)
}

fn with_data_folder(template: &str) -> Result<String> {
    if template.matches(DATA).count() != 1 {
        bail!("`manilla config --template` has not the line {DATA:?} once");
    }
    Ok(template.replace(DATA, DATA_OF_SERVICE))
}

#[cfg(test)]
mod tests {
    use super::with_data_folder;

    #[test]
    fn the_sample_has_the_data_folder_of_the_service() {
        let template = "# Folder.\n# data = \"manilla-data\"\n\n[log]\n";
        let sample = with_data_folder(template).unwrap();
        assert_eq!(sample, "# Folder.\ndata = \"/var/lib/manilla\"\n\n[log]\n");
        with_data_folder("# data = \"elsewhere\"\n").unwrap_err();
    }
}
