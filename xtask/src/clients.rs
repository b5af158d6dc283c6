//! Clients that others' generators make of the OpenAPI document, used against the program itself: a
//! purchase of every family and a webhook. It must not mend what a generator makes.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::packages;
use crate::process::Run;
use crate::repo::Repo;
use crate::served::ServedGateway;

/// The generator for Python, and what its clients need.
const PYTHON: [&str; 2] = ["openapi-python-client==0.29.1", "httpx==0.28.1"];

/// The client for JavaScript, the generator of its types, and what checks and runs them.
const JAVASCRIPT: [&str; 4] = [
    "openapi-fetch@0.17.0",
    "openapi-typescript@7.13.0",
    "typescript@5.9.3",
    "@types/node@20.19.43",
];

/// No server of the DNS is asked, and events may be posted to this machine.
const SETTINGS: [&str; 2] = ["lookup.dns=off", "webhook.allow_loopback=true"];

pub(crate) fn run(repo: &Repo) -> Result<()> {
    let home = repo.target()?.join("clients");
    let (python, javascript) = (home.join("python"), home.join("javascript"));
    packages::python(repo, &python, &PYTHON)?;
    packages::javascript(&javascript, &JAVASCRIPT)?;
    let served = ServedGateway::start(repo, &SETTINGS)?;
    use_python(repo, &python, &served)?;
    use_javascript(repo, &javascript, &served)
}

fn use_python(repo: &Repo, home: &Path, served: &ServedGateway) -> Result<()> {
    let package = home.join("made/manilla");
    let (document, made) = (document(repo), package.to_string_lossy());
    let generate = [
        "generate",
        "--meta",
        "none",
        "--overwrite",
        "--fail-on-warning",
    ];
    let generate = generate.into_iter().chain(["--path", &document]);
    let generate = generate.chain(["--output-path", &made]);
    // It formats what it made with a program that is installed beside it.
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", home.join("bin").display());
    Run::new(&program(home, "bin/openapi-python-client"), generate)
        .variable("PATH", path)
        .stream(repo.root())?;
    let purchases = example(repo, "purchases.py");
    let run = Run::new(
        &program(home, "bin/python"),
        [&*purchases.to_string_lossy()],
    );
    let made = home.join("made");
    with_account(run, served)
        .variable("PYTHONPATH", made.to_string_lossy())
        .stream(repo.root())
}

fn use_javascript(repo: &Repo, home: &Path, served: &ServedGateway) -> Result<()> {
    let document = document(repo);
    let generate = [&*document, "--output", "manilla.ts"];
    Run::new(
        &program(home, "node_modules/.bin/openapi-typescript"),
        generate,
    )
    .stream(home)?;
    fs::copy(example(repo, "purchases.ts"), home.join("purchases.ts"))
        .context("the example cannot be copied")?;
    let check = [
        "--strict",
        "--skipLibCheck",
        "--target",
        "es2022",
        "--module",
        "nodenext",
        "--types",
        "node",
        "purchases.ts",
    ];
    Run::new(&program(home, "node_modules/.bin/tsc"), check).stream(home)?;
    with_account(Run::new("node", ["purchases.js"]), served).stream(home)
}

/// Where the program is and who asks it. It is trusted by its own authority, as merchants do.
pub(crate) fn with_account(run: Run, served: &ServedGateway) -> Run {
    let authority = served.authority();
    run.variable("MANILLA_URL", &*served.url)
        .variable("MANILLA_IDENTITY", &*served.identity)
        .variable("MANILLA_KEY", &*served.key)
        .variable("MANILLA_SENDER", &*served.sender)
        .variable("MANILLA_CA", authority.to_string_lossy())
        .variable("NODE_EXTRA_CA_CERTS", authority.to_string_lossy())
}

fn document(repo: &Repo) -> String {
    let document = repo.root().join("docs/openapi.json");
    document.to_string_lossy().into_owned()
}

fn example(repo: &Repo, name: &str) -> PathBuf {
    repo.root().join("docs/examples/clients").join(name)
}

fn program(home: &Path, name: &str) -> String {
    home.join(name).to_string_lossy().into_owned()
}
