//! Rebuilds the crate when the embedded web app changes, and lets the linker merge identical functions.

use std::env::var;

fn main() {
    println!("cargo:rerun-if-changed=../../web/dist");
    let is = |name: &str, value: &str| var(name).is_ok_and(|set| set == value);
    // Only Rust's default linker on this target supports it.
    if is("PROFILE", "release") && is("TARGET", "x86_64-unknown-linux-gnu") {
        println!("cargo:rustc-link-arg-bins=-Wl,--icf=all");
    }
}
