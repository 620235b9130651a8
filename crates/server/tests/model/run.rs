//! Runs one seed after another on several threads; shrinks and reports the first failure.

use crate::actions::{Action, ActionKind, Entry, Which};
use crate::dice::Dice;
use crate::draw::draw;
use crate::smaller::simpler;
use crate::world::{Tamper, Template, World};
use kith_db::Engine;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Initial members of each template, including the founder.
const MEMBER_COUNTS: [u8; 3] = [3, 4, 5];
/// Time limit for shrinking a failing run.
const SHRINK_TIMEOUT: Duration = Duration::from_mins(1);
/// Interval of progress messages.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(10);

/// Configuration of a search.
pub(crate) struct Plan {
    pub(crate) engine: Engine,
    pub(crate) runs: u64,
    /// The first run's seed; later runs count up from it.
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    /// Whether a failing run is shrunk.
    pub(crate) shrinks: bool,
    pub(crate) tamper: Option<Tamper>,
}

/// A failing run, shrunk as far as possible.
pub(crate) struct Failure {
    pub(crate) seed: u64,
    pub(crate) actions: Vec<Action>,
    /// The difference that the last action found.
    pub(crate) message: String,
    log: Vec<String>,
}

/// Message and log of a run that failed.
struct Stopped {
    message: String,
    log: Vec<String>,
}

/// A failing list of actions with its failure.
struct Failing {
    actions: Vec<Action>,
    stopped: Stopped,
    /// When the failure was first seen.
    since: Instant,
}

/// Prints the seed of a run that panics.
struct SeedOf(u64);

impl Drop for SeedOf {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("That was the run with seed {}.", self.0);
        }
    }
}

/// Initial networks: a fixed number of members who invited each other.
pub(crate) struct Templates(Vec<Template>);

impl Templates {
    pub(crate) fn new(engine: Engine) -> Self {
        block_on(async {
            let mut templates = Vec::new();
            for members in MEMBER_COUNTS {
                let mut world = World::found(engine).await;
                for email in 0..members - 1 {
                    // The founder's code first, then operators'.
                    let code = (email == 0).then_some(Which::Newest(0));
                    world.perform_or_panic(0, ActionKind::Join(Entry { code, email })).await;
                    world.perform_or_panic(email + 1, ActionKind::ChooseName(email + 1)).await;
                }
                templates.push(world.into_template().await);
            }
            Self(templates)
        })
    }
}

impl Plan {
    /// Runs all seeds and returns the first failure.
    pub(crate) fn find_failure(&self) -> Option<Failure> {
        self.find_failure_from(&Templates::new(self.engine))
    }

    /// Runs all seeds on existing templates.
    pub(crate) fn find_failure_from(&self, templates: &Templates) -> Option<Failure> {
        let next = AtomicU64::new(0);
        let failure = Mutex::new(None);
        let begun = Instant::now();
        let last_progress = Mutex::new(begun);
        let work = || {
            let mut run = next.fetch_add(1, Ordering::Relaxed);
            while run < self.runs && failure.lock().unwrap().is_none() {
                let seed = self.seed.wrapping_add(run);
                let _named = SeedOf(seed);
                if let Some(found) = block_on(self.run_seed(templates, seed)) {
                    failure.lock().unwrap().get_or_insert(found);
                }
                let mut last = last_progress.lock().unwrap();
                if last.elapsed() > PROGRESS_INTERVAL {
                    *last = Instant::now();
                    self.print_progress(run, begun);
                }
                drop(last);
                run = next.fetch_add(1, Ordering::Relaxed);
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.threads {
                scope.spawn(work);
            }
        });
        self.print_progress(next.into_inner().min(self.runs), begun);
        failure.into_inner().unwrap()
    }

    /// Performs the actions and returns the difference that is found, or an empty string.
    pub(crate) fn find_difference(
        &self,
        Templates(templates): &Templates,
        actions: &[Action],
    ) -> String {
        let played = block_on(self.run_actions(&templates[0], actions, self.seed));
        played.err().map(|stopped| stopped.message).unwrap_or_default()
    }

    fn print_progress(&self, runs: u64, begun: Instant) {
        let seconds = begun.elapsed().as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "for reading only")]
        let rate = runs as f64 / seconds;
        eprintln!(
            "model, {:?}: {runs} of {} runs from seed {} in {seconds:.0} s, {rate:.1} a second",
            self.engine, self.runs, self.seed
        );
    }

    /// Runs one seed, and shrinks a failing run until no action can be removed.
    async fn run_seed(&self, Templates(templates): &Templates, seed: u64) -> Option<Failure> {
        let mut dice = Dice(seed);
        let template = dice.one_of(&templates.iter().collect::<Vec<_>>());
        let actions = draw(&mut dice);
        let stopped = self.run_actions(template, &actions, seed).await.err()?;
        let mut found = Failing { actions, stopped, since: Instant::now() };
        if self.shrinks {
            // A simpler action may make others removable.
            while self.remove_actions(template, seed, &mut found).await
                || self.simplify(template, seed, &mut found).await
            {}
        }
        let Failing { actions, stopped: Stopped { message, log }, .. } = found;
        Some(Failure { seed, actions, message, log })
    }

    /// Removes actions that the failure does not need, large parts first; returns whether any was removed.
    async fn remove_actions(&self, template: &Template, seed: u64, found: &mut Failing) -> bool {
        let before = found.actions.len();
        let mut size = before.div_ceil(2);
        while size > 0 {
            let mut at = 0;
            while at < found.actions.len() {
                let mut fewer = found.actions.clone();
                fewer.drain(at..(at + size).min(fewer.len()));
                if !self.still_fails(template, seed, fewer, found).await {
                    at += size;
                }
            }
            size /= 2;
        }
        found.actions.len() < before
    }

    /// Simplifies single actions; returns whether any was simplified.
    async fn simplify(&self, template: &Template, seed: u64, found: &mut Failing) -> bool {
        let before = found.actions.clone();
        for at in 0..found.actions.len() {
            for action in simpler(&before[at]) {
                let mut other = found.actions.clone();
                other[at] = action;
                if self.still_fails(template, seed, other, found).await {
                    break;
                }
            }
        }
        found.actions != before
    }

    /// Performs other actions, and keeps them if they fail as well.
    async fn still_fails(
        &self,
        template: &Template,
        seed: u64,
        actions: Vec<Action>,
        found: &mut Failing,
    ) -> bool {
        if found.since.elapsed() > SHRINK_TIMEOUT {
            return false;
        }
        match self.run_actions(template, &actions, seed).await {
            Ok(()) => false,
            Err(stopped) => {
                found.actions = actions;
                found.stopped = stopped;
                true
            }
        }
    }

    /// Performs actions on a copy of a template; at the end compares everything for every member.
    async fn run_actions(
        &self,
        template: &Template,
        actions: &[Action],
        seed: u64,
    ) -> Result<(), Stopped> {
        let mut world = World::copy(template, self.tamper).await;
        let result = world.run_actions(actions, seed).await;
        let stopped = result.map_err(|message| Stopped {
            message: world.named(&message),
            log: world.log.iter().map(|line| world.named(line)).collect(),
        });
        world.end().await;
        stopped
    }
}

impl World {
    async fn run_actions(&mut self, actions: &[Action], seed: u64) -> Result<(), String> {
        for action in actions {
            self.perform(action).await?;
        }
        self.stay_logged_in().await?;
        let mut dice = Dice(!seed);
        for viewer in 0..self.model.members.len() {
            self.compare_all(viewer, dice.sizes()).await?;
        }
        Ok(())
    }

    /// A step of creating a template.
    async fn perform_or_panic(&mut self, who: u8, kind: ActionKind) {
        if let Err(error) = self.perform(&Action { who, kind }).await {
            panic!("{error}\n{}", self.log.join("\n"));
        }
    }
}

impl Failure {
    /// Describes the failure: command to repeat it, actions, log and difference.
    pub(crate) fn report(&self, plan: &Plan) -> String {
        let Self { seed, actions, message, log } = self;
        let engine = if plan.engine == Engine::Postgres { " --postgres" } else { "" };
        let log = log.join("\n  ");
        let lines = actions.iter().map(|action| format!("\n  {action:?}"));
        let actions = lines.collect::<String>();
        format!(
            "The model and the server differ. Again: cargo xtask model --runs 1 --seed {seed}{engine}\n\
             The fewest actions:{actions}\nWhat was done:\n  {log}\n{message}"
        )
    }
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.unwrap().block_on(future)
}
