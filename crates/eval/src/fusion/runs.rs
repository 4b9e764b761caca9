//! Whole runs made into one, topic by topic.

use std::collections::BTreeSet;

use rayon::prelude::*;
use rebus_collection::trec::Run;
use rebus_collection::{Error, Place, Result};

use super::{Fusion, fuse};

/// Fuses runs topic by topic, over every topic that any of them has.
///
/// ```
/// use rebus_collection::trec::Run;
/// use rebus_eval::fusion::{Fusion, fuse_runs};
///
/// let mut runs = [Run::new("one"), Run::new("other")];
/// for (run, scores) in runs.iter_mut().zip([[0.9, 0.5], [0.4, 0.7]]) {
///     run.add("dogs", "dog.jpg", scores[0])?;
///     run.add("dogs", "cat.jpg", scores[1])?;
///     run.sort()?;
/// }
/// let fused = fuse_runs("both", &[&runs[0], &runs[1]], Fusion::RECIPROCAL_RANK)?;
/// assert_eq!(fused.topic("dogs").map(|ranking| ranking.len()), Some(2));
/// # Ok::<(), rebus_collection::Error>(())
/// ```
///
/// # Errors
/// None for runs that were read or sorted: their scores are finite and their documents distinct.
pub fn fuse_runs(name: &str, runs: &[&Run], method: Fusion) -> Result<Run> {
    let topics: BTreeSet<&str> =
        runs.iter().flat_map(|run| run.topics().map(|(topic, _)| topic)).collect();
    let topics: Vec<&str> = topics.into_iter().collect();
    let of_topic = |&topic: &&str| {
        let rankings: Vec<Vec<(&str, f64)>> = runs
            .iter()
            .map(|run| run.topic(topic).map(|ranking| ranking.iter().collect()).unwrap_or_default())
            .collect();
        let rankings: Vec<&[(&str, f64)]> = rankings.iter().map(Vec::as_slice).collect();
        fuse(&rankings, method).map_err(|error| {
            Error::malformed(Place::default().field(format!("topic {topic}")), error.to_string())
        })
    };
    let fused = topics.par_iter().map(of_topic).collect::<Result<Vec<_>>>()?;
    let mut run = Run::new(name);
    for (topic, results) in topics.into_iter().zip(fused) {
        for (document, score) in results {
            run.add(topic, document, score)?;
        }
    }
    run.sort()?;
    Ok(run)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(name: &str, results: &[(&str, &str, f64)]) -> Run {
        let mut run = Run::new(name);
        for (topic, document, score) in results {
            run.add(topic, document, *score).unwrap();
        }
        run.sort().unwrap();
        run
    }

    #[test]
    fn topics_of_one_run_only_are_kept() {
        let one = run("one", &[("1", "a", 2.0), ("1", "b", 1.0)]);
        let other = run("other", &[("1", "b", 9.0), ("2", "c", 1.0)]);
        let fused = fuse_runs("both", &[&one, &other], Fusion::Borda).unwrap();
        assert_eq!((fused.name(), fused.len()), ("both", 2));
        let order: Vec<&str> = fused.topic("1").unwrap().iter().map(|(name, _)| name).collect();
        // a: 2 + 0, b: 1 + 2.
        assert_eq!(order, ["b", "a"]);
        assert_eq!(fused.topic("2").unwrap().len(), 1);
        assert!(fuse_runs("none", &[], Fusion::Borda).unwrap().is_empty());
    }
}
