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
    ask(address, "GET", path, more, "")
}

fn ask(address: &str, method: &str, path: &str, more: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: \
         {length}\r\n{more}\r\n{body}"
    );
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

/// Runs a command that ends well, and gives what it printed.
fn run(home: &Path, arguments: &[&str]) -> String {
    let output = rebus(home).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn what_is_rejected_in_a_review_is_not_suggested_again() {
    let home = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| run(home.path(), arguments);
    run(&["synth", "world", "--images", "20"]);
    run(&["index", "world/photos"]);
    let mut command = rebus(home.path());
    command.args(["annotate", "--review", "--port", "0"]);
    let mut served = Served::start(&mut command);
    let mut lines = BufReader::new(served.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    let link = lines.next().expect("an address");
    let address = link.trim_start_matches("http://").strip_suffix("/review").expect("the review");
    assert!(get(address, "/review", "").contains("<title>Review keywords"));
    let json_of = |answer: &str| -> serde_json::Value {
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    };
    let path = |id: &str| format!("/api/v1/{id}/0");
    let item = json_of(&get(address, &path("items"), ""));
    let photo = item["path"].as_str().unwrap();
    let annotate = |more: &[&str]| -> Vec<String> {
        let all = ["annotate", photo, "--json", "--min-probability", "0"];
        let found: serde_json::Value = serde_json::from_str(&run(&[&all, more].concat())).unwrap();
        let keywords = found["photos"][0]["keywords"].as_array().unwrap();
        keywords.iter().map(|keyword| keyword["text"].as_str().unwrap().to_owned()).collect()
    };
    let rejected = annotate(&[]).swap_remove(0);
    let body = serde_json::json!({ "id": 0, "accepted": ["kite"], "rejected": [rejected] });
    let json = "content-type: application/json\r\n";
    let said = ask(address, "POST", "/api/v1/corrections", json, &body.to_string());
    assert!(said.starts_with("HTTP/1.1 200"), "{said}");
    assert_eq!(served.end().1, Some(0));
    // By the index that is the ordinary one, and by the one that is named.
    for index in [&[][..], &["--index"], &["--index", "photos"]] {
        assert!(!annotate(index).contains(&rejected), "{index:?}");
    }
    let plan = run(&["annotate", photo, "--write", "xmp", "--dry-run"]);
    assert!(plan.contains("kite"), "{plan}");
    let learnt: serde_json::Value =
        serde_json::from_str(&run(&["annotate", "--refit", "--json", "--out", "learnt"])).unwrap();
    assert_eq!(learnt["verdicts"], 2);
    assert!(home.path().join("learnt/model.json").is_file());
}

#[test]
fn a_token_is_told_as_json() {
    let home = tempfile::tempdir().unwrap();
    run(home.path(), &["synth", "world", "--images", "20"]);
    run(home.path(), &["index", "world/photos", "--index", "./made"]);
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
