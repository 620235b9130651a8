//! The Debian package and the archive of a built program.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::elf::Needs;
use crate::support::{paths, process};

/// Files of the repository in the package: source, destination and mode.
const FILES: &[(&str, &str, u32)] = &[
    ("deploy/kith-as-server", "usr/sbin/kith-as-server", 0o755),
    ("deploy/kith-daily-backup", "usr/sbin/kith-daily-backup", 0o755),
    ("deploy/kith.service", "usr/lib/systemd/system/kith.service", 0o644),
    ("deploy/kith-backup.service", "usr/lib/systemd/system/kith-backup.service", 0o644),
    ("deploy/kith-backup.timer", "usr/lib/systemd/system/kith-backup.timer", 0o644),
    ("deploy/debian/kith.sysusers", "usr/lib/sysusers.d/kith.conf", 0o644),
    ("deploy/debian/kith.env", "etc/kith/kith.env", 0o600),
    ("deploy/debian/caddy.conf", "usr/share/kith/caddy.conf", 0o644),
    ("deploy/Caddyfile", "usr/share/kith/Caddyfile", 0o644),
    ("deploy/nginx.conf", "usr/share/kith/nginx.conf", 0o644),
    ("deploy/haproxy.cfg", "usr/share/kith/haproxy.cfg", 0o644),
    ("deploy/traefik/traefik.yaml", "usr/share/kith/traefik/traefik.yaml", 0o644),
    ("deploy/traefik/kith.yaml", "usr/share/kith/traefik/kith.yaml", 0o644),
    ("deploy/prometheus.yml", "usr/share/kith/prometheus.yml", 0o644),
    ("deploy/prometheus-alerts.yml", "usr/share/kith/prometheus-alerts.yml", 0o644),
    ("deploy/grafana-dashboard.json", "usr/share/kith/grafana-dashboard.json", 0o644),
    ("deploy/litestream.yml", "usr/share/kith/litestream.yml", 0o644),
    ("LICENSE", "usr/share/doc/kith/copyright", 0o644),
    ("CHANGELOG.md", "usr/share/doc/kith/changelog", 0o644),
];

/// Files that dpkg runs or reads.
const CONTROL_FILES: &[(&str, &str)] = &[
    ("deploy/debian/postinst", "postinst"),
    ("deploy/debian/prerm", "prerm"),
    ("deploy/debian/postrm", "postrm"),
];

/// Completions: the shell and the file that it looks for.
const COMPLETIONS: &[(&str, &str)] = &[
    ("bash", "usr/share/bash-completion/completions/kith"),
    ("zsh", "usr/share/zsh/vendor-completions/_kith"),
    ("fish", "usr/share/fish/vendor_completions.d/kith.fish"),
];

/// A built program.
pub(crate) struct Built {
    binary: PathBuf,
    /// Version that the program prints.
    pub(crate) version: String,
    /// Debian's name of the architecture.
    pub(crate) architecture: &'static str,
    needs: Needs,
}

impl Built {
    /// Reads what a program is and needs.
    pub(crate) fn read(binary: &Path) -> Result<Self> {
        let printed = process::output(&mut process::command(binary, &["--version"]))?;
        let printed = String::from_utf8(printed)?;
        let version = printed.trim().strip_prefix("kith ").context("this is no kith")?;
        let needs = Needs::read(binary)?;
        let architecture = match needs.machine.as_str() {
            "Advanced Micro Devices X86-64" => "amd64",
            "AArch64" => "arm64",
            other => bail!("packages are made for x86-64 and arm64, not for {other}"),
        };
        let (binary, version) = (binary.to_path_buf(), version.to_owned());
        Ok(Self { binary, version, architecture, needs })
    }

    /// Libraries and the oldest glibc in words.
    pub(crate) fn requirements(&self) -> String {
        let (major, minor) = self.needs.glibc;
        format!("glibc {major}.{minor} or newer; libraries: {}", self.needs.libraries.join(", "))
    }

    /// Writes `kith_VERSION-1_ARCHITECTURE.deb` and returns its path.
    pub(crate) fn write_package(&self, folder: &Path) -> Result<PathBuf> {
        let tree = folder.join("package");
        self.write_tree(&tree)?;
        let control = tree.join("DEBIAN");
        fs::create_dir(&control)?;
        write(&control.join("control"), &self.control(installed_kib(&tree)?), 0o644)?;
        write(&control.join("conffiles"), "/etc/kith/kith.env\n", 0o644)?;
        for (source, name) in CONTROL_FILES {
            write(&control.join(name), &read(source)?, 0o755)?;
        }
        let sums = "find . -type f -not -path './DEBIAN/*' -not -path './etc/*' -printf '%P\\0' \
                    | sort -z | xargs -0 md5sum > DEBIAN/md5sums && chmod 0644 DEBIAN/md5sums";
        process::run(process::command("sh", &["-c", sums]).current_dir(&tree))?;
        let file = folder.join(format!("kith_{}-1_{}.deb", self.version, self.architecture));
        let mut command = process::command("dpkg-deb", &["--root-owner-group", "--build"]);
        command.arg(&tree).arg(&file).env("SOURCE_DATE_EPOCH", commit_time());
        process::run(&mut command)?;
        fs::remove_dir_all(&tree)?;
        Ok(file)
    }

    /// Writes the program, manual pages, completions and samples for systems without dpkg.
    pub(super) fn write_archive(&self, folder: &Path) -> Result<()> {
        let name = format!("kith-{}-linux-{}", self.version, self.architecture);
        let tree = folder.join(&name);
        self.write_generated(&tree)?;
        write(&tree.join("LICENSE"), &read("LICENSE")?, 0o644)?;
        write(&tree.join("CHANGELOG.md"), &read("CHANGELOG.md")?, 0o644)?;
        process::run(process::command("cp", &["-r", "deploy"]).arg(&tree))?;
        let arguments = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--gzip"];
        let mut command = process::command("tar", &arguments);
        command.arg(format!("--mtime=@{}", commit_time()));
        command.arg("--create").arg("--file").arg(folder.join(format!("{name}.tar.gz")));
        process::run(command.arg("--directory").arg(folder).arg(&name))?;
        fs::remove_dir_all(&tree)?;
        Ok(())
    }

    /// Writes what the package installs.
    fn write_tree(&self, tree: &Path) -> Result<()> {
        self.write_generated(tree)?;
        for (source, destination, mode) in FILES {
            write(&tree.join(destination), &for_package(&read(source)?), *mode)?;
        }
        // Debian's policy asks for compressed manual pages and change logs.
        let compress = "gzip -9n usr/share/man/man1/*.1 usr/share/doc/kith/changelog";
        process::run(process::command("sh", &["-c", compress]).current_dir(tree))
    }

    /// Writes the program and what it prints about itself, below `usr`.
    fn write_generated(&self, tree: &Path) -> Result<()> {
        let program = tree.join("usr/bin/kith");
        create_parent(&program)?;
        fs::copy(&self.binary, &program)?;
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755))?;
        let pages = tree.join("usr/share/man/man1");
        create_parent(&pages.join("kith.1"))?;
        process::run(process::command(&self.binary, &["man"]).arg(&pages))?;
        for (shell, destination) in COMPLETIONS {
            let script =
                process::output(&mut process::command(&self.binary, &["completions", shell]))?;
            write(&tree.join(destination), &String::from_utf8(script)?, 0o644)?;
        }
        Ok(())
    }

    fn control(&self, installed_kib: u64) -> String {
        let (major, minor) = self.needs.glibc;
        let Self { version, architecture, .. } = self;
        format!(
            "Package: kith
Version: {version}-1
Architecture: {architecture}
Maintainer: The maintainers of Kith
Installed-Size: {installed_kib}
Depends: libc6 (>= {major}.{minor}), libgcc-s1, ca-certificates, systemd | systemd-sysusers
Suggests: age, caddy, sqlite3
Section: net
Priority: optional
Description: invite-only social network for short posts
 One program with the API, the web app and the database engine. Members join
 with a friend's code and log in by a mailed link; there are no passwords.
 .
 The package has a hardened unit for systemd, daily backups with rotation,
 manual pages, completions, and samples for Caddy, Prometheus and Grafana.
"
        )
    }
}

/// Replaces what differs between an installation by hand and one by the package: paths, and instructions at the top.
fn for_package(text: &str) -> String {
    let text =
        text.replace("/usr/local/bin/", "/usr/bin/").replace("/usr/local/sbin/", "/usr/sbin/");
    match text.split_once("\n\n[Unit]\n") {
        Some((comment, unit)) if comment.lines().all(|line| line.starts_with('#')) => {
            format!(
                "# Settings are in /etc/kith/kith.env. Change this unit with `systemctl edit`.\n\n[Unit]\n{unit}"
            )
        }
        _ => text,
    }
}

/// Size of all files in KiB, each rounded up.
fn installed_kib(tree: &Path) -> Result<u64> {
    let files = crate::support::fingerprint::files_below(tree, &[])?;
    files.iter().map(|file| Ok(fs::metadata(file)?.len().div_ceil(1024))).sum()
}

/// Time of the commit, so that two builds of it are equal; without git the current time.
fn commit_time() -> String {
    let arguments = ["-c", "safe.directory=*", "log", "-1", "--format=%ct"];
    process::stdout_of(&mut process::command("git", &arguments))
        .or_else(|| process::stdout_of(&mut process::command("date", &["+%s"])))
        .unwrap_or_default()
}

fn read(path: &str) -> Result<String> {
    fs::read_to_string(paths::root().join(path)).with_context(|| format!("cannot read {path}"))
}

fn write(file: &Path, text: &str, mode: u32) -> Result<()> {
    create_parent(file)?;
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(fs::set_permissions(file, fs::Permissions::from_mode(mode))?)
}

/// Creates the folder of a file, readable by all accounts whatever the umask is.
fn create_parent(file: &Path) -> Result<()> {
    let folder = file.parent().context("a file has a folder")?;
    if folder.is_dir() {
        return Ok(());
    }
    create_parent(folder)?;
    fs::create_dir(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    Ok(fs::set_permissions(folder, fs::Permissions::from_mode(0o755))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shell script that prints what a built `kith` would.
    fn built(folder: &Path) -> Built {
        let script =
            "#!/bin/sh\ncase $1 in\nman) echo page > \"$2/kith.1\" ;;\n*) echo \"$@\" ;;\nesac\n";
        let binary = folder.join("kith");
        write(&binary, script, 0o755).expect("a script");
        let needs = Needs { machine: String::new(), libraries: Vec::new(), glibc: (2, 34) };
        Built { binary, version: "1.2.3".to_owned(), architecture: "amd64", needs }
    }

    /// proves: deploy-package
    #[test]
    fn the_package_contains_program_units_settings_pages_and_completions() {
        if process::find_program("dpkg-deb").is_none() {
            println!("skipped: this system has no dpkg-deb");
            return;
        }
        let folder = std::env::temp_dir().join(format!("kith-package-{}", std::process::id()));
        let package = built(&folder).write_package(&folder).expect("a package");
        assert!(package.ends_with("kith_1.2.3-1_amd64.deb"), "{}", package.display());
        let dpkg = |argument: &str, rest: &[&str]| {
            let mut command = process::command("dpkg-deb", &[argument]);
            let printed =
                process::output(command.arg(&package).args(rest)).expect("dpkg-deb works");
            String::from_utf8_lossy(&printed).into_owned()
        };
        let listed = dpkg("--contents", &[]);
        for (mode, path) in [
            ("-rwxr-xr-x", "./usr/bin/kith"),
            ("-rw-------", "./etc/kith/kith.env"),
            ("-rw-r--r--", "./usr/lib/systemd/system/kith.service"),
            ("-rw-r--r--", "./usr/lib/systemd/system/kith-backup.timer"),
            ("-rw-r--r--", "./usr/share/man/man1/kith.1.gz"),
            ("-rw-r--r--", "./usr/share/bash-completion/completions/kith"),
            ("drwxr-xr-x", "./usr/share/kith/"),
        ] {
            let entry = listed.lines().find(|line| line.ends_with(&format!(" {path}")));
            let entry = entry.unwrap_or_else(|| panic!("no {path} in {listed}"));
            assert!(entry.starts_with(&format!("{mode} root/root ")), "{entry}");
        }
        assert_eq!(dpkg("--info", &["conffiles"]), "/etc/kith/kith.env\n");
        assert!(dpkg("--field", &["Depends"]).starts_with("libc6 (>= 2.34), "));
        fs::remove_dir_all(&folder).expect("clean up");
    }

    #[test]
    fn units_start_the_installed_program() {
        let unit = for_package(&read("deploy/kith.service").expect("the unit"));
        assert!(unit.starts_with("# Settings are in /etc/kith/kith.env."), "{unit}");
        assert!(unit.contains("\nExecStart=/usr/bin/kith serve\n"), "{unit}");
        for (source, _, _) in FILES {
            let text = for_package(&read(source).expect("a file"));
            assert!(!text.contains("/usr/local/"), "{source}");
        }
    }

    #[test]
    fn scripts_are_valid() {
        let control = CONTROL_FILES.iter().map(|(source, _)| *source);
        for source in control.chain(["deploy/kith-as-server", "deploy/kith-daily-backup"]) {
            process::run(&mut process::command("sh", &["-n", source])).expect(source);
        }
    }
}
