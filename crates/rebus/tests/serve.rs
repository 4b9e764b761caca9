//! The page from a terminal: it starts, answers, and ends with Ctrl-C.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

fn rebus(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rebus"));
    command.current_dir(home).env("REBUS_HOME", home.join("home")).env_remove("REBUS_TOKEN");
    command.env_remove("PHOTOS").stdin(Stdio::null());
    command
}

/// A server that is ended whatever happens.
struct Served(Child);

impl Served {
    fn start(command: &mut Command) -> Self {
        Self(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
    }

    /// Presses Ctrl-C, and gives what was said and how it ended.
    fn end(&mut self) -> (String, Option<i32>) {
        let id = self.0.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let mut said = String::new();
        self.0.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (said, self.0.wait().unwrap().code())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn get(address: &str, path: &str, more: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let request =
        format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n{more}\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn a_world_is_drawn_indexed_and_served() {
    let home = tempfile::tempdir().unwrap();
    let mut command = rebus(home.path());
    command.args(["try", "world", "--images", "40", "--serve", "--port", "0"]);
    let mut served = Served::start(&mut command);
    let mut lines = BufReader::new(served.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    let link = lines.find(|line| line.starts_with("http://")).expect("an address");
    let address = link.trim_start_matches("http://").trim_end_matches('/');
    assert!(get(address, "/", "").contains("<title>rebus</title>"));
    assert!(get(address, "/api/v1/stats", "").contains("\"photos\":40"));
    let (said, code) = served.end();
    assert_eq!(code, Some(0), "{said}");
    assert!(said.lines().last().unwrap().starts_with("answered 2 requests"), "{said}");
}

#[test]
fn a_token_is_told_as_json() {
    let home = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let output = rebus(home.path()).args(arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    run(&["synth", "world", "--images", "20"]);
    run(&["index", "world/photos", "--index", "./made"]);
    let mut command = rebus(home.path());
    command.args(["serve", "./made", "--port", "0", "--json", "--token", "a-token-of-my-own"]);
    let mut served = Served::start(&mut command);
    let mut lines = BufReader::new(served.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut text = String::new();
    while !text.ends_with("}\n") {
        text += &format!("{}\n", lines.next().unwrap());
    }
    let told: serde_json::Value = serde_json::from_str(&text).unwrap();
    let address = told["address"].as_str().unwrap();
    assert_eq!(told["token"], "a-token-of-my-own");
    assert!(told["link"].as_str().unwrap().contains("/?key="), "{told}");
    assert!(get(address, "/api/v1/stats", "").starts_with("HTTP/1.1 401"));
    let token = "authorization: Bearer a-token-of-my-own\r\n";
    assert!(get(address, "/api/v1/stats", token).starts_with("HTTP/1.1 200"));
    assert_eq!(served.end().1, Some(0));
}
