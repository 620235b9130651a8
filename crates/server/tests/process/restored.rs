//! What a restore does not bring back, and where it does not go.

use crate::backup::{Network, backup, names, restore};
use crate::program::Program;
use std::fs::Permissions;
use std::os::unix::fs::{PermissionsExt as _, chown};

/// Who was logged out since the backup was made does not come back with it.
/// proves: operate-restore-sessions
#[test]
fn a_restored_network_has_no_sessions() {
    let network = Network::start();
    let (file, data) = (network.file("kith.tar"), network.file("elsewhere"));
    backup(&network.data(), &file).unwrap();
    let told = restore(&file, &data).unwrap();
    assert!(told.contains("sessions ended: 1, "), "{told}");
    let restored = Program::start(&data);
    let [there, here] = [&network.program, &restored]
        .map(|one| one.ask("GET", "/api/auth/me", &network.cookie, "").status);
    assert_eq!((there, here), (200, 401));
}

/// Who owns the folder, or can write into it, would have the key.
/// proves: operate-restore-own
#[test]
fn a_folder_that_others_can_write_to_is_not_filled() {
    let network = Network::start();
    let (file, data) = (network.file("kith.tar"), network.file("elsewhere"));
    backup(&network.data(), &file).unwrap();
    std::fs::create_dir(&data).unwrap();
    let allow = |mode| {
        std::fs::set_permissions(&data, Permissions::from_mode(mode)).unwrap();
    };
    for mode in [0o777, 0o770, 0o1777] {
        allow(mode);
        let complaint = restore(&file, &data).unwrap_err();
        assert!(
            complaint.contains("others can write into it"),
            "{complaint}"
        );
        assert_eq!(names(&data), [""; 0]);
    }
    allow(0o755);
    restore(&file, &data).unwrap();
}

/// The folder is found missing when it is looked for, and is there when it is made.
/// proves: operate-restore-own
#[test]
fn a_folder_that_appears_meanwhile_is_not_filled() {
    let network = Network::start();
    let (file, data) = (network.file("kith.tar"), network.file("elsewhere"));
    backup(&network.data(), &file).unwrap();
    std::fs::create_dir(&data).unwrap();
    std::fs::set_permissions(&data, Permissions::from_mode(0o777)).unwrap();
    let complaint = restore(&file, &network.file("missing/../elsewhere")).unwrap_err();
    assert!(complaint.contains("cannot be made: "), "{complaint}");
    assert_eq!(names(&data), [""; 0]);
    let serve = network.file("missing-too/../elsewhere");
    let args = ["serve", "--data", serve.to_str().unwrap()];
    let complaint = crate::command::complaint(&[&args[..], &["--listen", "192.0.2.1:1"]].concat());
    assert!(complaint.contains("cannot be made: "), "{complaint}");
    assert_eq!(names(&data), [""; 0]);
}

/// Who could put another file in the place of the copy would have the database, or leave none.
/// proves: operate-backup-own
#[test]
fn a_backup_goes_where_nobody_exchanges_files() {
    let network = Network::start();
    let out = network.file("out");
    std::fs::create_dir(&out).unwrap();
    let file = out.join("kith.tar");
    let allow = |mode| std::fs::set_permissions(&out, Permissions::from_mode(mode)).unwrap();
    for mode in [0o777, 0o770] {
        allow(mode);
        let complaint = backup(&network.data(), &file).unwrap_err();
        assert!(complaint.contains("its folder belongs to"), "{complaint}");
        assert_eq!(names(&out), [""; 0]);
    }
    allow(0o1777);
    backup(&network.data(), &file).unwrap();
    assert_eq!(names(&out), ["kith.tar"]);
    allow(0o755);
    // Only root can give a folder away, and is then who must not write there.
    if chown(&out, Some(65_534), None).is_ok() {
        let complaint = backup(&network.data(), &out.join("more.tar")).unwrap_err();
        assert!(complaint.contains("its folder belongs to"), "{complaint}");
    }
}
