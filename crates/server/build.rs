//! Rebuilds when the web app was built anew: it is embedded in the binary.

fn main() {
    println!("cargo:rerun-if-changed=../../web/dist");
}
