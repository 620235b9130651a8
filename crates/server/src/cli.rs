//! The command line.

use crate::app::App;
use crate::clock::Clock;
use crate::config::{Settings, Store};
use crate::ids::COMMAND_NODE;
use crate::{invites, router, secrets, serve};
use clap::{Parser, Subcommand};

/// The human network: an invite-only social network in one program.
#[derive(Debug, Parser)]
#[command(
    name = "kith",
    version,
    max_term_width = 100,
    after_help = "Example: kith serve --data /var/lib/kith --public-url https://kith.example"
)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the network.
    #[command(
        after_help = "Example: kith serve --listen 0.0.0.0:8080 --public-url https://kith.example --smtp-url smtp://user:password@mail.example:587?tls=required"
    )]
    Serve(Box<Settings>),
    /// Invite codes from the operator.
    Invite {
        #[command(subcommand)]
        command: InviteCommand,
    },
    /// Members, from the operator's side.
    Member {
        #[command(subcommand)]
        command: MemberCommand,
    },
    /// Print the API's OpenAPI description.
    Openapi,
}

#[derive(Debug, Subcommand)]
enum MemberCommand {
    /// Print an address that logs a member in, once, within 15 minutes.
    #[command(name = "sign-in", after_help = "Example: kith member sign-in founder")]
    SignIn {
        /// Without the @.
        username: String,
        /// Address that members see; the printed one starts with it.
        #[arg(long, env = "KITH_PUBLIC_URL", default_value = "http://localhost:8080", value_parser = crate::config::public_url)]
        public_url: url::Url,
        #[command(flatten)]
        store: Store,
    },
}

#[derive(Debug, Subcommand)]
enum InviteCommand {
    /// Make codes and print them, one a line.
    #[command(after_help = "Example: kith invite create --count 10")]
    Create {
        /// How many.
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        count: u32,
        #[command(flatten)]
        store: Store,
    },
}

impl Cli {
    /// Runs the command; an error is a sentence for the operator.
    pub async fn run(self) -> Result<(), String> {
        match self.command {
            Command::Serve(settings) => serve::run(*settings).await,
            Command::Invite {
                command: InviteCommand::Create { count, store },
            } => create_invites(count, store).await,
            Command::Member {
                command:
                    MemberCommand::SignIn {
                        username,
                        public_url,
                        store,
                    },
            } => {
                let settings = Settings {
                    public_url,
                    ..Settings::for_command(store)
                };
                sign_in(&username, settings).await
            }
            Command::Openapi => {
                print!("{}", router::openapi());
                Ok(())
            }
        }
    }
}

async fn create_invites(count: u32, store: Store) -> Result<(), String> {
    let app = App::open(Settings::for_command(store), Clock::system(), COMMAND_NODE).await?;
    let codes = (0..count).map(|_| secrets::code(12)).collect::<Vec<_>>();
    let issue = invites::Issue {
        codes: codes.clone(),
        now: app.now(),
    };
    app.db
        .write(issue)
        .await
        .map_err(|error| format!("The codes could not be stored: {error}."))?;
    app.db.close().await;
    println!("{}", codes.join("\n"));
    Ok(())
}

async fn sign_in(username: &str, settings: Settings) -> Result<(), String> {
    let app = App::open(settings, Clock::system(), COMMAND_NODE).await?;
    let address = crate::auth::sign_in_address(&app, username).await;
    app.db.close().await;
    println!("{}", address.map_err(|error| error.message().to_owned())?);
    Ok(())
}
