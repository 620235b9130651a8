//! Tests of the program as a process: output, start, stop and crashes.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod backup;
#[cfg(target_os = "linux")]
mod book_commands;
mod branch;
mod callers;
mod clock;
mod command;
mod config_file;
mod curl_examples;
#[cfg(target_os = "linux")]
mod daily_backup;
mod deleted;
mod demo;
#[cfg(target_os = "linux")]
mod docker_backup;
mod doctor;
mod elsewhere;
mod failover;
mod full_disk;
mod images;
mod interrupted;
mod killed;
mod lifecycle;
mod log_output;
mod log_table;
mod mail_down;
mod mail_server;
mod manual;
mod metrics;
mod network_settings;
mod nodes;
mod operator;
mod overload;
mod owner;
mod port;
mod power;
mod program;
mod proof;
mod proxies;
mod push_service;
mod rejected;
mod repeated;
mod replicas;
mod restored;
mod security;
mod settings;
mod smtp;
mod stopping;
mod unread;
mod waitlist;
mod writers;
