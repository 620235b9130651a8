//! An image worker whose decoder follows orders in the file, for tests of the sandbox. With the argument `open` it runs
//! without a sandbox. Other files are decoded.

use kith_images::{Crop, ImageError, Preset, ProcessedImage, process, worker};
use std::hint::black_box;
use std::io::Result;
use std::net::{TcpStream, UdpSocket};
use std::path::Path;
use std::process::{Command, ExitCode, abort};
use std::time::Duration;
use std::{env, fs, thread};

/// The decoder's result if something outside was reached.
const REACHED: ImageError = ImageError::TooWide;
const DENIED: ImageError = ImageError::NotAnImage;

fn main() -> ExitCode {
    if env::args().nth(1).as_deref() == Some(worker::ARGUMENT) {
        return worker::run(planted);
    }
    let order = env::args().nth(1).unwrap_or_default();
    match planted(order.as_bytes(), Preset::Post, None) {
        Err(REACHED) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn planted(
    file: &[u8],
    kind: Preset,
    crop: Option<Crop>,
) -> core::result::Result<ProcessedImage, ImageError> {
    let order = file.utf8_chunks().next().map_or("", |text| text.valid());
    let (verb, target) = order.split_once(' ').unwrap_or((order, ""));
    let done: Result<()> = match verb {
        "crash" => abort(),
        "panic" => panic!("planted"),
        "overflow" => {
            black_box(deeper(1));
            Ok(())
        }
        "loop" => loop {
            black_box(verb);
        },
        "sleep" => {
            thread::sleep(Duration::from_hours(1));
            Ok(())
        }
        "allocate" => allocate(),
        "read" => fs::read(target).map(drop),
        "list" => fs::read_dir(target).map(drop),
        "write" => fs::write(target, verb),
        "remove" => fs::remove_file(target),
        "connect" => TcpStream::connect(target).map(drop),
        "datagram" => UdpSocket::bind("127.0.0.1:0").map(drop),
        "socket" => std::os::unix::net::UnixStream::connect(target).map(drop),
        "run" => Command::new(Path::new(target)).status().map(drop),
        "signal" => signal(target),
        "environment" if env::vars_os().any(|(name, _)| name == target) => Ok(()),
        "environment" => return Err(DENIED),
        _ => return process(file, kind, crop),
    };
    Err(if done.is_ok() { REACHED } else { DENIED })
}

fn deeper(depth: u64) -> u64 {
    let here = black_box([depth; 1_000]);
    if depth == 0 { 0 } else { deeper(here[1] + 1) + here[2] }
}

fn allocate() -> ! {
    let mut all = Vec::new();
    loop {
        all.push(vec![1_u8; 1 << 20]);
        black_box(&all);
    }
}

/// Sends signal 0, to test whether sending is possible.
fn signal(target: &str) -> Result<()> {
    use rustix::process::{Pid, test_kill_process};
    let id = target.parse().ok().and_then(Pid::from_raw);
    Ok(test_kill_process(id.ok_or(std::io::ErrorKind::InvalidInput)?)?)
}
