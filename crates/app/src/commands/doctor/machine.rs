//! The machine: whether its clock is set, and how many files may be open. It must change no limit.

use std::fs;
use std::path::Path;

use super::finding::Finding;
use crate::open_files;

/// Where systemd notes that its service has set the clock.
const TIMESYNC: &str = "/run/systemd/timesync/synchronized";

/// Where other services of time note their process.
const SERVICES: [(&str, &str); 3] = [
    ("chronyd", "/run/chrony/chronyd.pid"),
    ("ntpd", "/run/ntpd.pid"),
    ("ntpsec", "/run/ntpsec/ntpd.pid"),
];

/// What the machine gives.
pub(super) fn checks() -> Vec<Finding> {
    vec![time_service(), open_file_limit()]
}

fn time_service() -> Finding {
    let check = "time service";
    if Path::new(TIMESYNC).exists() {
        return Finding::ok(check, "systemd-timesyncd has set the clock");
    }
    let mut running = SERVICES.iter().filter(|(_, file)| {
        let process = fs::read_to_string(file).unwrap_or_default();
        let process = process.trim();
        !process.is_empty() && Path::new("/proc").join(process).exists()
    });
    match running.next() {
        Some((name, _)) => Finding::ok(check, format!("{name} runs")),
        None => Finding::warn(check, "it is not known whether anything sets the clock")
            .remedied_by("have it set by NTP; in a container that is up to the machine"),
    }
}

fn open_file_limit() -> Finding {
    let check = "open files";
    let (allowed, wanted) = open_files::allowed_and_wanted();
    if allowed >= wanted {
        return Finding::ok(check, format!("{wanted} are allowed, as are needed"));
    }
    Finding::warn(
        check,
        format!("{allowed} are allowed here, and fewer connections are taken than with {wanted}"),
    )
    .remedied_by("raise ulimit -n, or LimitNOFILE= of the service")
}
