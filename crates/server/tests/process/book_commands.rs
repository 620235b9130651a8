//! Runs the commands of the book: all `sh` blocks of `README.md` and of the pages in `docs/`, as they are written.

mod cases;
mod machine;
mod markdown;
mod network;

use cases::{PageCases, Rule};
use machine::Machine;
use markdown::Page;
use network::Network;
use std::fmt::Write as _;
use std::sync::Mutex;

/// Machines in use at the same time.
const THREADS: usize = 4;

/// A command with what is expected of it.
#[derive(Default)]
struct Command {
    text: String,
    prints: Vec<&'static str>,
    fails: bool,
}

/// Applies the rules of a page. Commands without a rule run as they are, and must succeed.
fn prepare(page: &Page, cases: &PageCases) -> Result<Vec<Command>, String> {
    let mut unused = cases.cases.iter().map(|case| (case.block, case.command)).collect::<Vec<_>>();
    let mut commands = Vec::new();
    for (block, original) in &page.commands {
        let mut command = Command { text: original.clone(), ..Command::default() };
        let mut is_run = true;
        let fits =
            |case: &&cases::Case| block.contains(case.block) && original.contains(case.command);
        for case in cases.cases.iter().filter(fits) {
            unused.retain(|other| *other != (case.block, case.command));
            match case.rule {
                Rule::Replace(from, to) => {
                    if !command.text.contains(from) {
                        return Err(format!("{original} lacks {from}"));
                    }
                    command.text = command.text.replace(from, to);
                }
                Rule::Before(text) => {
                    commands.push(Command { text: text.to_owned(), ..Command::default() });
                }
                Rule::Prints(text) => command.prints.push(text),
                Rule::Fails(text) => {
                    command.fails = true;
                    command.prints.push(text);
                }
                Rule::NotRun(_) => is_run = false,
            }
        }
        commands.extend(is_run.then_some(command));
    }
    if unused.is_empty() { Ok(commands) } else { Err(format!("not on the page: {unused:?}")) }
}

/// A line that only sets a variable of Kith is a line of the server's settings, which must stay valid.
fn with_settings_in_file(command: &str) -> String {
    let runs = |program| command.contains(program);
    if !command.starts_with("KITH_") || runs("kith serve") || runs("kith-as-server") {
        return command.to_owned();
    }
    format!("cat >> /etc/kith/kith.env <<'END'\n{command}\nEND\nkith-as-server config check")
}

/// Shell script that runs the commands and stops at the first with an unexpected exit status.
fn script(commands: &[Command], machine: &Machine) -> String {
    let mut script = "set -o pipefail\n".to_owned();
    for (number, command) in commands.iter().enumerate() {
        let expected = if command.fails { "-ne" } else { "-eq" };
        let text = machine.substitute(&with_settings_in_file(&command.text));
        let _ = write!(
            script,
            "echo {number} > \"$steps/last\"\n{{\n{text}\n}} > \"$steps/{number}\" 2>&1 < \"$input\"\n\
             [ $? {expected} 0 ] || exit 1\n"
        );
    }
    script + "close-terminals\n"
}

/// Runs all commands of a page on a machine of its own; returns their number.
fn run(page: &Page, cases: &PageCases, network: &Network) -> Result<usize, String> {
    let commands = prepare(page, cases)?;
    let machine = Machine::new(network);
    if !cases.has_no_server {
        machine.start_server();
    }
    if !machine.run(&script(&commands, &machine)) {
        let last = machine.last_step();
        return Err(format!("{}\n{}", commands[last].text, machine.printed(last)));
    }
    for (number, command) in commands.iter().enumerate() {
        let printed = machine.printed(number);
        let missing =
            command.prints.iter().find(|text| !printed.contains(&machine.substitute(text)));
        if let Some(missing) = missing {
            return Err(format!("{}\n{printed}\nlacks {missing}", command.text));
        }
    }
    Ok(commands.len())
}

/// Every command of the book runs as written, except those with a reason in `cases.txt`.
/// proves: operate-book-run
#[test]
fn the_commands_of_the_book_work() {
    if !machine::has_programs(&["bash", "curl", "jq", "sqlite3", "man", "setsid"]) {
        return;
    }
    let network = Network::create();
    let (mut queue, mut databases) = (Vec::new(), Vec::new());
    let mut cases = cases::read();
    for page in markdown::pages() {
        let found = cases.iter().position(|cases| cases.path == page.path);
        let cases = found.map(|at| cases.swap_remove(at)).unwrap_or_default();
        if cases.has_postgres {
            databases.push((page, cases));
        } else {
            queue.push(vec![(page, cases)]);
        }
    }
    assert!(cases.is_empty(), "{} has no commands", cases[0].path);
    // Pages with databases of the same names run one after another, beside the others.
    queue.push(databases);
    let (queue, done, errors) = (Mutex::new(queue), Mutex::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(pages) = { queue.lock().unwrap().pop() } {
            for (page, cases) in pages {
                match run(&page, &cases, &network) {
                    Ok(count) => *done.lock().unwrap() += count,
                    Err(error) => errors.lock().unwrap().push(format!("{}: {error}", page.path)),
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(work);
        }
    });
    let errors = errors.into_inner().unwrap();
    assert!(errors.is_empty(), "{}", errors.join("\n\n"));
    let done = done.into_inner().unwrap();
    assert!(done > 200, "{done}");
}

/// proves: operate-book-run
#[test]
fn commands_that_change_a_whole_system_are_run_by_the_package_test() {
    let scripts =
        ["book.sh", "package.sh"].map(|name| markdown::read(&format!("xtask/package-test/{name}")));
    let mut count = 0;
    for page in cases::read() {
        for case in page.cases {
            let Rule::NotRun(reason) = case.rule else { continue };
            let start = format!(" '{}'", case.command.replace('\'', r"'\''"));
            let is_case = |line: &str| line.contains(&page.path) && line.contains(&start);
            let is_run = scripts.iter().any(|script| script.lines().any(is_case));
            assert_eq!(is_run, reason == "package-test", "{}:{start}", page.path);
            assert!(!reason.is_empty());
            count += usize::from(is_run);
        }
    }
    assert!(count > 20, "{count}");
}
