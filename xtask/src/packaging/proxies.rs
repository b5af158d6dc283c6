//! The examples of proxies: read by the proxies themselves, with files of a folder in the places of
//! those of a system. What they repeat must be nothing that an instance may have received.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::debian_program::DebianProgram;
use crate::process::Run;
use crate::repo::Repo;

const NGINX_EXAMPLE: &str = "packaging/proxy/nginx.conf";
const HAPROXY_EXAMPLE: &str = "packaging/proxy/haproxy.cfg";
const DATABASE_EXAMPLE: &str = "packaging/patroni/haproxy.cfg";

pub(crate) const NGINX: DebianProgram = DebianProgram {
    name: "nginx",
    probe: "-v",
    place: "usr/sbin/nginx",
    packages: &["nginx"],
};

pub(crate) const HAPROXY: DebianProgram = DebianProgram {
    name: "haproxy",
    probe: "-v",
    place: "usr/sbin/haproxy",
    packages: &[
        "haproxy",
        "liblua5.3-0",
        "libopentracing1",
        "libopentracing-c-wrapper0",
    ],
};

/// The account comes with the package, which need not be installed.
pub(crate) const HAPROXY_ACCOUNT: &str = "    user haproxy\n    group haproxy\n";

/// Which requests a proxy may send a second time: those that found no connection. Anything more
/// would repeat payments, and the programs themselves take it for valid.
const RETRIES: [(&str, &str, &str); 2] = [
    (
        NGINX_EXAMPLE,
        "proxy_next_upstream ",
        "proxy_next_upstream error timeout;",
    ),
    (HAPROXY_EXAMPLE, "retry-on ", "retry-on conn-failure"),
];

/// Has both proxies read their examples, with a certificate that is made for it.
pub(super) fn check(repo: &Repo, folder: &Path) -> Result<()> {
    let files = ProxyFiles::make(folder)?;
    fs::copy(&files.certificate, &files.authorities)?;
    fs::write(folder.join("nginx.conf"), files.nginx_text(repo)?)?;
    let options = files.nginx();
    let test = ["-t", "-q"].into_iter();
    let test = test.chain(options.iter().map(String::as_str));
    NGINX.find(repo)?.run(test).stream(repo.root())?;
    let path = folder.join("haproxy.cfg");
    let database = substituted(
        read(repo, DATABASE_EXAMPLE)?,
        DATABASE_EXAMPLE,
        &[(HAPROXY_ACCOUNT, "")],
    )?;
    for text in [files.haproxy_text(repo)?, database] {
        fs::write(&path, text)?;
        // With -dW a warning is a failure.
        let test = ["-c", "-dW", "-f", &path.to_string_lossy()];
        HAPROXY.find(repo)?.run(test).stream(repo.root())?;
    }
    retries(repo)
}

fn retries(repo: &Repo) -> Result<()> {
    for (file, setting, wanted) in RETRIES {
        let text = read(repo, file)?;
        let lines = text.lines().map(str::trim);
        let lines: Vec<_> = lines.filter(|line| line.starts_with(setting)).collect();
        if lines != [wanted] {
            bail!("{file} must have `{wanted}` once and has {lines:?}");
        }
    }
    Ok(())
}

/// What a proxy reads and writes, in one folder.
#[derive(Debug)]
pub(crate) struct ProxyFiles {
    folder: String,
    /// The certificate for clients, which is its own authority.
    pub(crate) certificate: PathBuf,
    /// The authorities of the instances, which the caller writes.
    pub(crate) authorities: PathBuf,
}

impl ProxyFiles {
    /// Makes the certificate.
    pub(crate) fn make(folder: &Path) -> Result<Self> {
        let files = Self {
            folder: folder.to_string_lossy().into_owned(),
            certificate: folder.join("certificate.pem"),
            authorities: folder.join("authorities.pem"),
        };
        let (key, certificate) = (files.at("key.pem"), files.at("certificate.pem"));
        let kind = [
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
        ];
        let name = ["-nodes", "-subj", "/CN=pay.example.com"];
        let name = [
            &name[..],
            &["-addext", "subjectAltName=DNS:pay.example.com"],
        ]
        .concat();
        let out = ["-keyout", &key, "-out", &certificate];
        let options = [&["req"], &kind[..], &name, &out].concat();
        let made = Run::new("openssl", options).quiet(folder);
        let (works, printed) = made.context("openssl is needed, such as of Debian's package")?;
        if !works {
            bail!("no certificate could be made:\n{printed}");
        }
        let both = [fs::read(&certificate)?, fs::read(&key)?].concat();
        fs::write(files.at("both.pem"), both)?;
        Ok(files)
    }

    fn at(&self, name: &str) -> String {
        format!("{}/{name}", self.folder)
    }

    /// How nginx is started with `nginx.conf` of the folder.
    pub(crate) fn nginx(&self) -> Vec<String> {
        let (pid, file) = (
            format!("pid {};", self.at("nginx.pid")),
            self.at("nginx.conf"),
        );
        let options = ["-p", &self.folder, "-e", "stderr", "-g", &pid, "-c", &file];
        options.map(str::to_owned).to_vec()
    }

    pub(crate) fn nginx_text(&self, repo: &Repo) -> Result<String> {
        let kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
        let folders = kinds.map(|kind| format!("    {kind}_temp_path {};\n", self.at(kind)));
        let folders = format!("http {{\n{}", folders.concat());
        let places = [
            (
                "/etc/nginx/tls/pay.example.com.pem",
                &*self.at("certificate.pem"),
            ),
            ("/etc/nginx/tls/pay.example.com.key", &self.at("key.pem")),
            ("/etc/nginx/tls/instances.pem", &self.at("authorities.pem")),
            ("/var/log/nginx", &self.folder),
            ("http {\n", &folders),
        ];
        substituted(read(repo, NGINX_EXAMPLE)?, NGINX_EXAMPLE, &places)
    }

    pub(crate) fn haproxy_text(&self, repo: &Repo) -> Result<String> {
        let places = [
            (
                "/etc/haproxy/tls/pay.example.com.pem",
                &*self.at("both.pem"),
            ),
            (
                "/etc/haproxy/tls/instances.pem",
                &self.at("authorities.pem"),
            ),
            (HAPROXY_ACCOUNT, ""),
        ];
        substituted(read(repo, HAPROXY_EXAMPLE)?, HAPROXY_EXAMPLE, &places)
    }
}

fn read(repo: &Repo, file: &str) -> Result<String> {
    let text = fs::read_to_string(repo.root().join(file));
    text.with_context(|| format!("{file} cannot be read"))
}

/// A text with others in places, each of which must be there.
pub(crate) fn substituted(text: String, file: &str, places: &[(&str, &str)]) -> Result<String> {
    let mut text = text;
    for (place, other) in places {
        if !text.contains(place) {
            bail!("{file} has not the text {place:?}");
        }
        text = text.replace(place, other);
    }
    Ok(text)
}
