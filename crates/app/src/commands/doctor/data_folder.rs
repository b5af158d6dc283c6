//! The data folder: that it is there, ours and ours alone, and on a disk that keeps what is
//! written. It must not write to find that out.

use std::path::Path;

use monitoring::{CheckStatus, disk_check};
use rustix::fs::{Access, access, statfs};

use super::finding::Finding;
use crate::config::Config;
use crate::files;

/// File systems that do not keep, or do not keep well, what is written: the number that the kernel
/// has for each, its name, and what is wrong with it.
const UNSUITABLE: [(u64, &str, &str); 7] = [
    (0x0102_1994, "tmpfs", IN_MEMORY),
    (0x8584_58f6, "ramfs", IN_MEMORY),
    (0x794c_7630, "overlay", OF_A_CONTAINER),
    (0x6969, "nfs", ELSEWHERE),
    (0x517b, "smb", ELSEWHERE),
    (0xff53_4d42, "cifs", ELSEWHERE),
    (0xfe53_4d42, "smb2", ELSEWHERE),
];
const IN_MEMORY: &str = "it is kept in memory and gone when the machine stops";
const OF_A_CONTAINER: &str = "it is a layer of a container and gone with it";
const ELSEWHERE: &str = "it is on another machine, where locks and syncs are not to be relied on";

/// Everything about the folder.
pub(super) fn checks(config: &Config) -> Vec<Finding> {
    let data = &config.data;
    if !data.is_dir() {
        let found = format!("there is no folder {}", data.display());
        let remedy = "name it with --data or MANILLA_DATA; the first `manilla serve` makes it";
        return vec![Finding::fail("data folder", found).remedied_by(remedy)];
    }
    let is_live = !config.live_providers().is_empty();
    vec![
        owner(data),
        rights(data),
        writable(data),
        file_system(data, is_live),
        free_space(data),
    ]
}

fn owner(data: &Path) -> Finding {
    let (check, shown) = ("data folder", data.display());
    let us = rustix::process::geteuid().as_raw();
    match files::owner(data) {
        Ok(owner) if owner == us => Finding::ok(check, format!("{shown} belongs to this user")),
        Ok(owner) => Finding::warn(
            check,
            format!("{shown} belongs to user {owner}, and this is user {us}"),
        )
        .remedied_by("run this command, and the gateway, as the user that owns it"),
        Err(error) => Finding::error(check, error),
    }
}

fn rights(data: &Path) -> Finding {
    let check = "data folder";
    match files::exposure(data) {
        Ok(None) => Finding::ok(check, "no other user can enter it"),
        Ok(Some(exposed)) => Finding::warn(check, exposed),
        Err(error) => Finding::error(check, error),
    }
}

fn writable(data: &Path) -> Finding {
    let check = "data folder";
    match access(data, Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK) {
        Ok(()) => Finding::ok(check, "this user can write to it"),
        Err(error) => Finding::fail(
            check,
            format!("this user cannot write to {}: {error}", data.display()),
        )
        .remedied_by("give it to the user of the gateway, on a file system mounted for writing"),
    }
}

fn file_system(data: &Path, is_live: bool) -> Finding {
    let check = "file system";
    let kind = match statfs(data) {
        Ok(found) => found.f_type,
        Err(error) => return Finding::error(check, error),
    };
    let number = u64::try_from(kind).unwrap_or_default();
    let Some((_, name, wrong)) = unsuitable(number) else {
        return Finding::ok(check, "it keeps what is written");
    };
    let found = format!("{} is on {name}: {wrong}", data.display());
    let finding = if is_live {
        Finding::fail(check, found)
    } else {
        Finding::warn(check, found)
    };
    finding.remedied_by("put the data folder on a disk of this machine, or a volume")
}

fn unsuitable(number: u64) -> Option<(u64, &'static str, &'static str)> {
    UNSUITABLE.into_iter().find(|(known, ..)| *known == number)
}

/// By the limits of `/ready`.
fn free_space(data: &Path) -> Finding {
    let check = "free space";
    let free = files::free_bytes(data);
    let found = disk_check(free);
    let shown = free.map_or_else(|| "unknown".to_owned(), crate::output::bytes);
    let reason = found.reason.unwrap_or_else(|| format!("{shown} are free"));
    let remedy = "free some space where the data folder is";
    match found.status {
        CheckStatus::Ok => Finding::ok(check, reason),
        CheckStatus::Degraded => Finding::warn(check, reason).remedied_by(remedy),
        CheckStatus::Failed => Finding::fail(check, reason).remedied_by(remedy),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_keep_what_is_written_is_known_by_its_number() {
        let named = |number| unsuitable(number).map(|(_, name, _)| name);
        assert_eq!(named(0x0102_1994), Some("tmpfs"));
        assert_eq!(named(0x6969), Some("nfs"));
        // ext4 and xfs.
        assert_eq!([0xef53, 0x5846_5342].map(named), [None, None]);
    }
}
