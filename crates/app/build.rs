//! Refuses a release build with the fault hook, which stops the program at named moments: it is
//! compiled where debug assertions are on. It must not change what is compiled.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let has_hook = std::env::var_os("CARGO_CFG_DEBUG_ASSERTIONS").is_some();
    if is_release && has_hook {
        println!(
            "cargo::error=a release build must not have debug assertions: they bring the fault \
             hook `MANILLA_PAUSE_AT` with them; remove `debug-assertions` from the profile"
        );
    }
}
