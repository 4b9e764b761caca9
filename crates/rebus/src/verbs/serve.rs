//! `rebus serve`: an index as a page.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::process::{Command, Stdio};

use clap::Args;
use rebus_index::Index;
use rebus_serve::{Access, Coordinates, Library, PORT, Server, Settings, Sight, Token};
use serde_json::json;

use crate::output::{Outcome, answer, counted, say};
use crate::progress::Talk;
use crate::{index, indexed_model, model};

/// Where a token may be given without other users of the machine seeing it.
const TOKEN: &str = "REBUS_TOKEN";

/// Open an index as a page: search, look, describe, judge.
///
/// Only this machine can ask, unless --bind says otherwise; then a token is needed, and the address
/// that is printed opens the page once.
#[derive(Args)]
#[command(after_help = "Examples:
  rebus serve --open
  rebus serve family --port 9000
  rebus serve --bind 192.168.1.7 --show-gps

The same answers as JSON are under /api/v1, described in /api/v1/openapi.json; /metrics is for
Prometheus. A token of your own comes from --token or, unseen by other users, from REBUS_TOKEN.")]
pub(crate) struct Serve {
    /// The index: its folder or its name [default: the one last made or
    /// brought up to date]
    #[arg(value_name = "INDEX")]
    index: Option<String>,
    #[command(flatten)]
    door: Door,
    /// Listen on this address, so that other machines can ask; they need the token
    #[arg(long, value_name = "ADDRESS")]
    bind: Option<IpAddr>,
    /// The token that who asks must have [default: with --bind a new one each time]
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    /// A name by which others may call this machine, such as nas.local; may be repeated
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    /// Also tell where photos were taken, in degrees
    #[arg(long)]
    show_gps: bool,
    /// Print address and token as JSON
    #[arg(long)]
    json: bool,
}

/// Where a page is served on this machine: flatten it into a verb's arguments.
#[derive(Debug, Clone, Args)]
pub(crate) struct Door {
    /// The port of the page; 0 takes any that is free
    #[arg(long, value_name = "PORT", default_value_t = PORT)]
    pub(crate) port: u16,
    /// Open the page in the browser
    #[arg(long)]
    pub(crate) open: bool,
}

impl Serve {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        let index = index::open(self.index.as_deref())?;
        let token = self.token.clone().or_else(|| std::env::var(TOKEN).ok());
        let access = match (token, self.bind) {
            (Some(token), _) => Access::Token(Token::new(&token)?),
            (None, Some(address)) if !address.is_loopback() => Access::Token(Token::random()?),
            (None, _) => Access::Anybody,
        };
        let address = self.bind.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let settings = Settings {
            address: SocketAddr::new(address, self.door.port),
            access,
            hosts: self.allow_host,
            coordinates: if self.show_gps { Coordinates::Shown } else { Coordinates::Hidden },
            report: |what| say(format_args!("note: {what}")),
            ..Settings::default()
        };
        let print = if self.json { Print::Json } else { Print::Text };
        serve(index, settings, &self.door, Page::Search, print)
    }
}

/// How the address is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Print {
    Text,
    Json,
}

/// What is opened first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Page {
    Search,
    Review,
}

impl Page {
    /// Where it lies behind the link to the first page.
    fn path(self) -> &'static str {
        match self {
            Self::Search => "",
            Self::Review => "review",
        }
    }
}

/// Serves an index to this machine until Ctrl-C.
pub(crate) fn serve_here(index: Index, door: &Door, page: Page) -> anyhow::Result<Outcome> {
    let settings = Settings {
        address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), door.port),
        report: |what| say(format_args!("note: {what}")),
        ..Settings::default()
    };
    serve(index, settings, door, page, Print::Text)
}

fn serve(
    index: Index,
    settings: Settings,
    door: &Door,
    page: Page,
    print: Print,
) -> anyhow::Result<Outcome> {
    let folder = index.folder().display().to_string();
    let photos = counted(index.len() as u64, "photo");
    let token = match &settings.access {
        Access::Token(token) => Some(token.reveal().to_owned()),
        Access::Anybody => None,
    };
    let record = indexed_model::of_index(&index, None)?;
    let model::Opened { name, model, extractor, .. } = model::open_recorded(&record)?;
    let library = Library::new(index, Sight { name, model, extractor });
    let server = Server::bind(settings, library)?;
    let link = format!("{}{}", server.link(), page.path());
    if print == Print::Json {
        let address = server.address().to_string();
        let whole = json!({ "address": address, "link": link, "token": token, "index": folder });
        answer(format_args!("{whole:#}"))?;
    } else {
        answer(&link)?;
        if let Some(token) = &token {
            say("the address opens the page once; elsewhere it asks for the token");
            answer(format_args!("token {token}"))?;
        }
    }
    say(format_args!("serving {photos} of {folder}; Ctrl-C ends it"));
    if door.open {
        show(&link);
    }
    let served = server.run(&Talk::new())?;
    say(format_args!("answered {}", counted(served.requests, "request")));
    Ok(Outcome::Fine)
}

/// Opens the page in the browser that the desktop knows; where there is none, the address says it.
fn show(link: &str) {
    let (program, before): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let quiet = || Stdio::null();
    let mut command = Command::new(program);
    command.args(before).arg(link).stdin(quiet()).stdout(quiet()).stderr(quiet());
    if command.spawn().is_err() {
        say("no browser could be opened; open the address yourself");
    }
}
