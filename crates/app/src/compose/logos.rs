//! The operator's own logos: pictures in the folder `logos` of the data folder, each named like the
//! brand it is of. A file that cannot be one must keep the server from starting.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, ensure};
use http_server::{Logos, Picture, is_logo_name};

/// The folder in the data folder.
const FOLDER: &str = "logos";

/// The largest picture: logos are shown small, and all of them are held in memory.
const BYTES_MAX: u64 = 262_144;

/// How many pictures there may be: 128 MiB of them at most.
const FILES_MAX: usize = 512;

const TYPES: [(&str, &str); 5] = [
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("webp", "image/webp"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
];

/// The pictures of a data folder; none where it has no such folder.
pub(super) fn read(data: &Path) -> anyhow::Result<Logos> {
    let folder = data.join(FOLDER);
    if !folder.is_dir() {
        return Ok(Logos::default());
    }
    let unreadable = || format!("{} cannot be read", folder.display());
    let mut pictures = HashMap::new();
    for entry in fs::read_dir(&folder).with_context(unreadable)? {
        let path = entry.with_context(unreadable)?.path();
        let (name, picture) = picture(&path)
            .with_context(|| format!("{} cannot be used as a logo", path.display()))?;
        ensure!(
            pictures.insert(name, picture).is_none(),
            "{}: there is another picture of this name",
            path.display()
        );
        ensure!(
            pictures.len() <= FILES_MAX,
            "{} holds more than {FILES_MAX} files",
            folder.display()
        );
    }
    Ok(Logos::new(pictures))
}

fn picture(path: &Path) -> anyhow::Result<(String, Picture)> {
    let part = |part: Option<&std::ffi::OsStr>| part.and_then(|it| it.to_str()).map(str::to_owned);
    let name = part(path.file_stem()).unwrap_or_default();
    let extension = part(path.extension()).unwrap_or_default();
    let known = TYPES.iter().find(|(ending, _)| *ending == extension);
    let (_, content_type) = known.context("its name must end with svg, png, webp, jpg or jpeg")?;
    ensure!(
        is_logo_name(&name),
        "its name must be that in the address of the logo: small letters, digits and hyphens"
    );
    let size = fs::metadata(path)?.len();
    ensure!(
        size <= BYTES_MAX,
        "it has {size} bytes, and {BYTES_MAX} are the most"
    );
    let bytes = fs::read(path)?.into();
    Ok((
        name,
        Picture {
            content_type,
            bytes,
        },
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(files: &[(&str, usize)]) -> anyhow::Result<Logos> {
        let data = tempfile::tempdir().unwrap();
        fs::create_dir(data.path().join(FOLDER)).unwrap();
        for (name, size) in files {
            fs::write(data.path().join(FOLDER).join(name), vec![b'x'; *size]).unwrap();
        }
        read(data.path())
    }

    #[test]
    fn pictures_are_read_by_the_names_of_brands() {
        let none = read(tempfile::tempdir().unwrap().path()).unwrap();
        assert!(!format!("{none:?}").contains("image"));
        let some = with(&[("gotv.png", 9), ("ikeja-electric.svg", 9)]).unwrap();
        let some = format!("{some:?}");
        assert!(
            some.contains("ikeja-electric") && some.contains("image/png"),
            "{some}"
        );
    }

    #[test]
    fn what_cannot_be_a_logo_is_named_with_what_is_wrong() {
        let wrong = [
            ("gotv.exe", 9, "must end with svg"),
            ("GOtv.png", 9, "small letters"),
            ("gotv.png", 262_145, "262145 bytes"),
        ];
        for (name, size, expected) in wrong {
            let error = format!("{:#}", with(&[(name, size)]).unwrap_err());
            assert!(error.contains(name) && error.contains(expected), "{error}");
        }
        let twice = with(&[("gotv.png", 9), ("gotv.svg", 9)]).unwrap_err();
        assert!(twice.to_string().contains("another picture"), "{twice}");
    }
}
