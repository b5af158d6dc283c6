//! Writes every page of the checkout, in every state and with texts of every kind, into a folder:
//! `cargo run -p checkout-pages --example views -- FOLDER`. It must not judge them:
//! `cargo xtask pages` does, in a browser.

mod samples;

use std::path::Path;
use std::{env, fs, io};

use checkout_pages::{CONTENT_SECURITY_POLICY, EN, PageSetting, stylesheet};

fn main() -> io::Result<()> {
    let folder = env::args().nth(1);
    let folder = folder.ok_or_else(|| io::Error::other("the folder to write to is missing"))?;
    let folder = Path::new(&folder);
    fs::create_dir_all(folder)?;
    let setting = PageSetting {
        stylesheet_path: "/checkout.css",
        texts: &EN,
    };
    for view in samples::views(&setting) {
        fs::write(folder.join(format!("{}.html", view.name)), view.html)?;
    }
    fs::write(folder.join("checkout.css"), stylesheet())?;
    fs::write(folder.join("policy.txt"), CONTENT_SECURITY_POLICY)
}
