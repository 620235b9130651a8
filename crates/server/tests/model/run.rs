//! Many runs: a seed each, spread over threads; the first that fails is made small and told.

use crate::actions::{Action, Entry, MemberAction, Which};
use crate::dice::Dice;
use crate::draw::draw;
use crate::smaller::simpler;
use crate::world::{Tamper, Template, World};
use kith_db::Engine;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Members at the start, the founder among them, of the templates that there are.
const CROWDS: [u8; 3] = [3, 4, 5];
/// How long a failing run may be made smaller.
const PATIENCE: Duration = Duration::from_mins(1);
/// How often progress is told.
const NEWS: Duration = Duration::from_secs(10);

/// What to run.
pub(crate) struct Plan {
    pub(crate) engine: Engine,
    pub(crate) runs: u64,
    /// The first run's seed; the others count up from it.
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    /// Whether a failing run is made small.
    pub(crate) shrinks: bool,
    pub(crate) tamper: Option<Tamper>,
}

/// A failing run, as small as it could be made.
pub(crate) struct Failure {
    pub(crate) seed: u64,
    pub(crate) actions: Vec<Action>,
    /// What the last performed action found.
    pub(crate) message: String,
    log: Vec<String>,
}

/// What ended a run early.
struct Stopped {
    message: String,
    log: Vec<String>,
}

/// Actions that fail, and how.
struct Failing {
    actions: Vec<Action>,
    stopped: Stopped,
    /// When it was seen to fail.
    since: Instant,
}

/// Names the seed of a run that panics.
struct SeedOf(u64);

impl Drop for SeedOf {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("That was the run with seed {}.", self.0);
        }
    }
}

/// Networks to begin with: the same few members each time, who joined by each other's codes.
pub(crate) struct Templates(Vec<Template>);

impl Templates {
    pub(crate) fn new(engine: Engine) -> Self {
        block_on(async {
            let mut templates = Vec::new();
            for crowd in CROWDS {
                let mut world = World::found(engine).await;
                for email in 0..crowd - 1 {
                    // The founder's code first, then operators'.
                    let code = (email == 0).then_some(Which::Newest(0));
                    world
                        .must(0, MemberAction::Join(Entry { code, email }))
                        .await;
                    world
                        .must(email + 1, MemberAction::ChooseName(email + 1))
                        .await;
                }
                templates.push(world.into_template().await);
            }
            Self(templates)
        })
    }
}

impl Plan {
    /// Runs everything; answers the first failure.
    pub(crate) fn run(&self) -> Option<Failure> {
        self.run_on(&Templates::new(self.engine))
    }

    /// The same with templates that there are.
    pub(crate) fn run_on(&self, templates: &Templates) -> Option<Failure> {
        let next = AtomicU64::new(0);
        let failure = Mutex::new(None);
        let begun = Instant::now();
        let news = Mutex::new(begun);
        let work = || {
            let mut run = next.fetch_add(1, Ordering::Relaxed);
            while run < self.runs && failure.lock().unwrap().is_none() {
                let seed = self.seed.wrapping_add(run);
                let _named = SeedOf(seed);
                if let Some(found) = block_on(self.one(templates, seed)) {
                    failure.lock().unwrap().get_or_insert(found);
                }
                let mut last = news.lock().unwrap();
                if last.elapsed() > NEWS {
                    *last = Instant::now();
                    self.tell(run, begun);
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
        self.tell(next.into_inner().min(self.runs), begun);
        failure.into_inner().unwrap()
    }

    /// What is found wrong when such actions are performed.
    pub(crate) fn try_out(&self, Templates(templates): &Templates, actions: &[Action]) -> String {
        let played = block_on(self.play(&templates[0], actions, self.seed));
        played
            .err()
            .map(|stopped| stopped.message)
            .unwrap_or_default()
    }

    fn tell(&self, runs: u64, begun: Instant) {
        let seconds = begun.elapsed().as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "for reading only")]
        let rate = runs as f64 / seconds;
        eprintln!(
            "model, {:?}: {runs} of {} runs from seed {} in {seconds:.0} s, {rate:.1} a second",
            self.engine, self.runs, self.seed
        );
    }

    /// One run; a failing one is run again and again until no action can be left out.
    async fn one(&self, Templates(templates): &Templates, seed: u64) -> Option<Failure> {
        let mut dice = Dice(seed);
        let template = dice.one_of(&templates.iter().collect::<Vec<_>>());
        let actions = draw(&mut dice);
        let stopped = self.play(template, &actions, seed).await.err()?;
        let mut found = Failing {
            actions,
            stopped,
            since: Instant::now(),
        };
        if self.shrinks {
            // What one action kept may be in the way no more once another is gone.
            while self.leave_out(template, seed, &mut found).await
                || self.simplify(template, seed, &mut found).await
            {}
        }
        let Failing {
            actions,
            stopped: Stopped { message, log },
            ..
        } = found;
        Some(Failure {
            seed,
            actions,
            message,
            log,
        })
    }

    /// Leaves out what is not needed to fail, large parts first; whether there was any.
    async fn leave_out(&self, template: &Template, seed: u64, found: &mut Failing) -> bool {
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

    /// Makes single actions simpler; whether there was anything to make simpler.
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

    /// Plays other actions and keeps them when they fail too.
    async fn still_fails(
        &self,
        template: &Template,
        seed: u64,
        actions: Vec<Action>,
        found: &mut Failing,
    ) -> bool {
        if found.since.elapsed() > PATIENCE {
            return false;
        }
        match self.play(template, &actions, seed).await {
            Ok(()) => false,
            Err(stopped) => {
                found.actions = actions;
                found.stopped = stopped;
                true
            }
        }
    }

    /// Performs actions on a copy of a template; at the end everybody looks at everything.
    async fn play(
        &self,
        template: &Template,
        actions: &[Action],
        seed: u64,
    ) -> Result<(), Stopped> {
        let mut world = World::copy(template, self.tamper).await;
        let result = world.play(actions, seed).await;
        let stopped = result.map_err(|message| Stopped {
            message: world.named(&message),
            log: world.log.iter().map(|line| world.named(line)).collect(),
        });
        world.end().await;
        stopped
    }
}

impl World {
    async fn play(&mut self, actions: &[Action], seed: u64) -> Result<(), String> {
        for action in actions {
            self.perform(action).await?;
        }
        self.stay_logged_in().await?;
        let mut dice = Dice(!seed);
        for reader in 0..self.model.members.len() {
            self.look(reader, dice.sizes()).await?;
        }
        Ok(())
    }

    /// A step of making a template.
    async fn must(&mut self, who: u8, deed: MemberAction) {
        if let Err(error) = self.perform(&Action { who, deed }).await {
            panic!("{error}\n{}", self.log.join("\n"));
        }
    }
}

impl Failure {
    /// Everything that somebody needs who has to find the cause.
    pub(crate) fn report(&self, plan: &Plan) -> String {
        let Self {
            seed,
            actions,
            message,
            log,
        } = self;
        let engine = if plan.engine == Engine::Postgres {
            " --postgres"
        } else {
            ""
        };
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
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.unwrap().block_on(future)
}
