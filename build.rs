//! How the program is linked.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |what: &str| std::env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    // A program with a fixed place in memory finds the addresses in its tables as they are in the file. Else 20,000 of
    // them are corrected at each start, which takes as long as everything else that `pcore -e 1` does. What that costs:
    // the code of the program, not its libraries, stack and data, lies at the same place in each run.
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
}
