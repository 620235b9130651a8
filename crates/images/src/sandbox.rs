//! The sandbox that the image worker enters before it reads a file.

use serde::{Deserialize, Serialize};
use std::io;

/// CPU time for one image, in seconds.
const CPU: u64 = 9;

/// Memory for one image, in bytes: with the program's code less than 450 MB. The largest images take 400 MB.
const DATA: u64 = 440_000_000;

/// Restrictions in force besides the resource limits; an older kernel may offer neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sandbox {
    /// Landlock denies files, TCP, and signals to other processes.
    pub landlock: bool,
    /// A seccomp filter denies all system calls but those that computing needs.
    pub seccomp: bool,
}

/// Restricts this process, which must have one thread.
///
/// # Errors
///
/// A resource limit could not be set: then no image must be decoded.
pub(crate) fn enter() -> io::Result<Sandbox> {
    // Before the limit on descriptors, because it needs one.
    let landlock = restrict_access();
    limit_resources()?;
    let seccomp = filter_system_calls();
    Ok(Sandbox { landlock, seccomp })
}

#[cfg(unix)]
fn limit_resources() -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    for (resource, limit) in [
        (Resource::Cpu, CPU),
        (Resource::Data, DATA),
        (Resource::Fsize, 0),
        (Resource::Core, 0),
        // The pipes stay open, and nothing else can be opened.
        (Resource::Nofile, 0),
    ] {
        let limit = Some(limit);
        setrlimit(resource, Rlimit { current: limit, maximum: limit })?;
    }
    Ok(())
}

#[cfg(not(unix))]
const fn limit_resources() -> io::Result<()> {
    Ok(())
}

#[cfg(target_os = "linux")]
fn restrict_access() -> bool {
    use landlock::{
        ABI, Access as _, AccessFs, AccessNet, Ruleset, RulesetAttr as _, RulesetStatus, Scope,
    };
    let restrict = || {
        Ruleset::default()
            .handle_access(AccessFs::from_all(ABI::V6))?
            .handle_access(AccessNet::from_all(ABI::V6))?
            .scope(Scope::from_all(ABI::V6))?
            .create()?
            .restrict_self()
    };
    restrict().is_ok_and(|status| status.ruleset != RulesetStatus::NotEnforced)
}

#[cfg(not(target_os = "linux"))]
const fn restrict_access() -> bool {
    false
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn filter_system_calls() -> bool {
    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
        SeccompRule,
    };
    const ALLOWED: [i64; 29] = [
        libc::SYS_brk,
        libc::SYS_clock_gettime,
        libc::SYS_clock_nanosleep,
        libc::SYS_close,
        libc::SYS_exit,
        libc::SYS_exit_group,
        libc::SYS_fstat,
        libc::SYS_futex,
        libc::SYS_getpid,
        libc::SYS_getrandom,
        libc::SYS_gettid,
        libc::SYS_madvise,
        libc::SYS_mmap,
        libc::SYS_mprotect,
        libc::SYS_mremap,
        libc::SYS_munmap,
        libc::SYS_nanosleep,
        libc::SYS_read,
        libc::SYS_restart_syscall,
        libc::SYS_rseq,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_sched_getaffinity,
        libc::SYS_sched_yield,
        libc::SYS_set_robust_list,
        libc::SYS_sigaltstack,
        libc::SYS_write,
        libc::SYS_writev,
    ];
    let filter = || {
        let thread = libc::CLONE_THREAD.unsigned_abs().into();
        // Threads, but no processes. `clone3` has its flags in memory, so it is denied and libc falls back.
        let is_thread = SeccompCondition::new(
            0,
            SeccompCmpArgLen::Qword,
            SeccompCmpOp::MaskedEq(thread),
            thread,
        )?;
        let mut rules: std::collections::BTreeMap<_, _> =
            ALLOWED.into_iter().map(|call| (call, Vec::new())).collect();
        rules.insert(libc::SYS_clone, vec![SeccompRule::new(vec![is_thread])?]);
        // `ENOSYS`, so that libraries fall back or fail.
        let denied = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
        let arch = std::env::consts::ARCH.try_into()?;
        let filter = SeccompFilter::new(rules, denied, SeccompAction::Allow, arch)?;
        BpfProgram::try_from(filter)
    };
    filter().is_ok_and(|filter| seccompiler::apply_filter(&filter).is_ok())
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
const fn filter_system_calls() -> bool {
    false
}
