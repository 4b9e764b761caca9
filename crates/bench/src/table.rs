//! The outcomes of several cases as one report.

use rebus_eval::report::{Protocol, Report, System};

use crate::{Case, Options, Outcome};

/// Puts what cases came to into the shape of every other result: a task a case.
pub fn report(options: &Options, outcomes: &[(&Case, Outcome)]) -> Report {
    let protocol = Protocol::new()
        .with("unit", "seconds, best of three; a ratio above 1 means that rebus is faster")
        .with("threads", rayon::current_num_threads())
        .with("seed", options.seed)
        .with("scale", options.scale);
    let mut report = Report::new(protocol);
    let mut system = System::new("rebus");
    for (case, outcome) in outcomes {
        system = system.figure(case.name, "seconds", outcome.seconds);
        if let Some(limit) = outcome.limit {
            system = system.figure(case.name, "limit", limit);
        }
        for peer in &outcome.peers {
            let name = peer.name;
            system = system
                .figure(case.name, &format!("{name} seconds"), peer.seconds)
                .figure(case.name, &format!("ratio to {name}"), peer.seconds / outcome.seconds)
                .figure(case.name, &format!("target for {name}"), peer.target)
                .figure(case.name, &format!("difference to {name}"), peer.difference);
        }
        let verdict = match outcome.met() {
            _ if outcome.limit.is_none() && outcome.peers.is_empty() => "no peer was run",
            true => "target met",
            false => "target MISSED",
        };
        report.notes.push(format!("{}: {}; {verdict}", case.name, outcome.note));
    }
    report.systems.push(system);
    report
}
