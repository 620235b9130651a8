//! What a restore does not bring back, and where it does not go.

use crate::backup::{Network, backup, names, restore};
use crate::program::Program;
use std::os::unix::fs::PermissionsExt as _;

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
        std::fs::set_permissions(&data, std::fs::Permissions::from_mode(mode)).unwrap();
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
