//! Rebuilds when the web app was built anew: it is embedded in the binary. Tells the linker to keep one
//! copy of functions that came out the same.

use std::env::var;

fn main() {
    println!("cargo:rerun-if-changed=../../web/dist");
    let is = |name: &str, value: &str| var(name).is_ok_and(|set| set == value);
    // Rust's own linker folds them, which other systems and debug builds do without.
    if is("PROFILE", "release") && is("TARGET", "x86_64-unknown-linux-gnu") {
        println!("cargo:rustc-link-arg-bins=-Wl,--icf=all");
    }
}
