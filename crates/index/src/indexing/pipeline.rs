//! Many workers, one order.
//!
//! Each worker takes a photo from the file to its vectors. What they find is kept in the order in
//! which the photos were met, so that slots do not depend on the number of cores. Only so many are
//! under way at once that memory is bounded.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use rebus_collection::Progress;

use crate::{Error, Result};

/// How often an interruption is noticed while nothing arrives.
const LOOK_UP: Duration = Duration::from_millis(100);
/// Photos under way for every worker.
const AHEAD: usize = 8;

/// Where work comes from, and where what came of it goes.
pub(super) trait Stream {
    type Job: Send;
    type Outcome: Send;

    /// The next piece of work; `Step::Pause` where there was nothing to do for a step.
    fn next(&mut self) -> Result<Step<Self::Job>>;

    /// Takes what came of the jobs, in their order.
    fn take(&mut self, outcome: Self::Outcome) -> Result<()>;
}

/// What [`Stream::next`] found.
pub(super) enum Step<J> {
    /// Something to do.
    Job(J),
    /// Nothing this time.
    Pause,
    /// No more.
    End,
}

/// Runs a stream to its end.
///
/// # Errors
/// Of the stream, or [`Error::Interrupted`]: then what had been finished in order was taken.
pub(super) fn run<S: Stream>(
    stream: &mut S,
    work: impl Fn(&S::Job) -> S::Outcome + Sync,
    progress: &dyn Progress,
) -> Result<()> {
    let workers = rayon::current_num_threads().max(1);
    let stop = AtomicBool::new(false);
    let (send_jobs, jobs) = mpsc::sync_channel::<(u64, S::Job)>(workers * AHEAD);
    let jobs = Mutex::new(jobs);
    thread::scope(|scope| {
        let (send, arrivals) = mpsc::sync_channel(workers * AHEAD);
        for _ in 0..workers {
            let send = send.clone();
            let (jobs, stop, work) = (&jobs, &stop, &work);
            scope.spawn(move || {
                loop {
                    let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((number, job)) = job else { return };
                    if stop.load(Relaxed) || send.send((number, work(&job))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let done = feed(stream, &send_jobs, &arrivals, workers * AHEAD, progress);
        stop.store(true, Relaxed);
        // Workers that wait for work, or for room, find nobody there and end.
        drop(send_jobs);
        drop(arrivals);
        done
    })
}

fn feed<S: Stream>(
    stream: &mut S,
    jobs: &mpsc::SyncSender<(u64, S::Job)>,
    arrivals: &mpsc::Receiver<(u64, S::Outcome)>,
    most: usize,
    progress: &dyn Progress,
) -> Result<()> {
    let (mut sent, mut taken) = (0u64, 0u64);
    let mut early: BTreeMap<u64, S::Outcome> = BTreeMap::new();
    let mut more = true;
    loop {
        if progress.interrupted() {
            return Err(Error::Interrupted);
        }
        if more && ((sent - taken) as usize) < most {
            match stream.next()? {
                Step::Job(job) => {
                    let ended = |_| Error::Interrupted;
                    jobs.send((sent, job)).map_err(ended)?;
                    sent += 1;
                }
                Step::Pause => {}
                Step::End => more = false,
            }
        } else if sent > taken {
            match arrivals.recv_timeout(LOOK_UP) {
                Ok((number, outcome)) => {
                    early.insert(number, outcome);
                }
                Err(mpsc::RecvTimeoutError::Timeout) => continue,
                Err(mpsc::RecvTimeoutError::Disconnected) => return Err(Error::Interrupted),
            }
        } else {
            return Ok(());
        }
        early.extend(arrivals.try_iter());
        while let Some(outcome) = early.remove(&taken) {
            stream.take(outcome)?;
            taken += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use rebus_collection::Silent;

    use super::*;

    struct Numbers {
        next: u64,
        taken: Vec<u64>,
    }

    impl Stream for Numbers {
        type Job = u64;
        type Outcome = u64;

        fn next(&mut self) -> Result<Step<u64>> {
            self.next += 1;
            Ok(match self.next {
                n if n > 500 => Step::End,
                n if n % 3 == 0 => Step::Pause,
                n => Step::Job(n),
            })
        }

        fn take(&mut self, outcome: u64) -> Result<()> {
            self.taken.push(outcome);
            Ok(())
        }
    }

    #[test]
    fn outcomes_come_in_the_order_of_the_jobs() {
        let mut numbers = Numbers { next: 0, taken: Vec::new() };
        let work = |&n: &u64| {
            thread::sleep(Duration::from_micros((n * 7919) % 300));
            n
        };
        run(&mut numbers, work, &Silent).unwrap();
        let want: Vec<u64> = (1..=500).filter(|n| n % 3 != 0).collect();
        assert_eq!(numbers.taken, want);
    }

    struct Stop;

    impl Progress for Stop {
        fn begin(&self, _what: &str, _total: Option<u64>) {}
        fn advance(&self, _by: u64) {}
        fn interrupted(&self) -> bool {
            true
        }
    }

    #[test]
    fn an_interruption_ends_it() {
        let mut numbers = Numbers { next: 0, taken: Vec::new() };
        assert!(matches!(run(&mut numbers, |&n| n, &Stop), Err(Error::Interrupted)));
    }
}
