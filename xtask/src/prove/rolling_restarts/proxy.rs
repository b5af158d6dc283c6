//! A proxy at work, set up as the example in `packaging/proxy`, with the addresses and files of the
//! proof in their places.

use std::fmt;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Child;
use std::time::Duration;

use anyhow::{Result, bail};

use super::super::gateway::instance::{MONITORING, RestartedInstance};
use super::super::gateway::shop::Shop;
use super::super::gateway::{free_port, pause};
use crate::packaging::{HAPROXY, NGINX, ProxyFiles, substituted};
use crate::repo::Repo;

/// Where the proxy listens.
pub(super) const ADDRESS: &str = "127.0.0.1";

/// How long until haproxy has found both instances ready: two checks a second apart.
const READY_AFTER: Duration = Duration::from_secs(4);

#[derive(Clone, Copy, Debug)]
pub(super) enum ProxyKind {
    Haproxy,
    Nginx,
}

impl ProxyKind {
    pub(super) const ALL: [Self; 2] = [Self::Haproxy, Self::Nginx];
}

impl fmt::Display for ProxyKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Haproxy => "haproxy",
            Self::Nginx => "nginx",
        })
    }
}

#[derive(Debug)]
pub(super) struct RunningProxy {
    child: Child,
    pub(super) port: u16,
    /// What its certificate is trusted by.
    pub(super) certificate: PathBuf,
}

impl RunningProxy {
    pub(super) fn start(
        repo: &Repo,
        kind: ProxyKind,
        (shop, instances): (&Shop, [&RestartedInstance; 2]),
    ) -> Result<Self> {
        let folder = shop.folder();
        let files = ProxyFiles::make(folder)?;
        fs::copy(shop.data().join("ca.pem"), &files.authorities)?;
        let port = free_port(ADDRESS)?;
        let log = File::create(folder.join("proxy.log"))?;
        let [first, second] = instances.map(|instance| instance.listen.as_str());
        let instances = [("10.0.0.11:8443", first), ("10.0.0.12:8443", second)];
        let mut command = match kind {
            ProxyKind::Haproxy => {
                let text = haproxy(repo, &files, (instances, port))?;
                let path = folder.join("haproxy.cfg");
                fs::write(&path, text)?;
                HAPROXY.find(repo)?.run(["-f", &path.to_string_lossy()])
            }
            ProxyKind::Nginx => {
                let text = nginx(repo, &files, (instances, port))?;
                fs::write(folder.join("nginx.conf"), text)?;
                NGINX
                    .find(repo)?
                    .run(files.nginx().iter().map(String::as_str))
            }
        }
        .child(repo.root());
        let mut child = command.stdout(log.try_clone()?).stderr(log).spawn()?;
        pause(READY_AFTER);
        if let Some(status) = child.try_wait()? {
            let log = fs::read_to_string(folder.join("proxy.log"))?;
            bail!("{kind} ended with {status}:\n{log}");
        }
        Ok(Self {
            child,
            port,
            certificate: files.certificate,
        })
    }
}

impl Drop for RunningProxy {
    fn drop(&mut self) {
        // It may have ended already; the proof is over in any case.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

type Places<'a> = ([(&'a str, &'a str); 2], u16);

fn haproxy(repo: &Repo, files: &ProxyFiles, (instances, port): Places<'_>) -> Result<String> {
    let (clear, tls) = (free_port(ADDRESS)?, format!("bind {ADDRESS}:{port} ssl"));
    let clear = format!("bind {ADDRESS}:{clear}\n");
    let monitoring = format!("port {MONITORING}");
    let text = files.haproxy_text(repo)?;
    let places = [
        ("bind :80\n", clear.as_str()),
        ("bind :443 ssl", &tls),
        ("port 8444", &monitoring),
        ("log /dev/log local0", "log stdout format raw local0"),
    ];
    substituted(text, "haproxy.cfg", &[&places[..], &instances].concat())
}

fn nginx(repo: &Repo, files: &ProxyFiles, (instances, port): Places<'_>) -> Result<String> {
    let (clear, tls) = (free_port(ADDRESS)?, format!("listen {ADDRESS}:{port} ssl"));
    let clear = format!("listen {ADDRESS}:{clear};");
    let text = files.nginx_text(repo)?;
    let places = [
        ("        listen [::]:80;\n", ""),
        ("        listen [::]:443 ssl http2;\n", ""),
        ("listen 80;", clear.as_str()),
        ("listen 443 ssl", &tls),
        // One process in front, so that it is the one that is ended.
        ("worker_processes auto;", "daemon off;\nmaster_process off;"),
    ];
    substituted(text, "nginx.conf", &[&places[..], &instances].concat())
}
