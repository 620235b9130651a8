//! Codes and quotas.

use crate::harness::on_both_engines;

on_both_engines! {
    /// Three codes, and no fourth.
    async fn three_codes_at_sign_up(server) {
        let ada = server.member("ada").await;
        for _ in 0..3 {
            ada.poke("/api/invites").await.expect(201);
        }
        assert_eq!(ada.poke("/api/invites").await.refusal(409), "no_invites_left");
        assert_eq!(ada.get("/api/invites").await.expect(200).as_array().unwrap().len(), 3);
    }
}
