//! Metrics that only PostgreSQL has.

use crate::harness::{Options, Server, postgres_url};
use metrics_exporter_prometheus::PrometheusBuilder;
use tokio::runtime::Builder;

/// Runs on one thread, since a local metrics recorder only counts events of its own thread.
#[test]
fn waiting_for_postgres_is_counted() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let figures = recorder.handle();
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let value = |name: &str| {
        let shown = figures.render();
        let mut lines = shown.lines();
        let line = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        let value = line.unwrap_or_else(|| panic!("no {name}: {shown}"));
        value.parse::<f64>().unwrap()
    };
    metrics::with_local_recorder(&recorder, || {
        runtime.block_on(async {
            let server = Server::start(Options::on(postgres_url().await)).await;
            let ada = server.member("ada").await;
            let before = value("kith_db_pool_wait_seconds_count");
            ada.write("Hello").await;
            assert!(value("kith_db_pool_wait_seconds_count") > before + 0.5);
            assert!(value("kith_db_writes_waiting").abs() < 0.5);
        });
    });
}
