//! Features of many pictures: in parallel, and kept from one run to the next.
//!
//! Each worker takes a picture from the file to its features: while one reads, others decode,
//! resize or compute, and every core is busy. Who waits for them writes the rows down.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{PoisonError, RwLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use rebus_collection::{ContentHash, Item, ItemId, Matrix, Progress};

use crate::{Cache, Error, Extractor, Result, picture};

/// The features of a list of items.
#[derive(Debug)]
pub struct Features {
    /// The items that have features, in the order in which they were given.
    pub items: Vec<ItemId>,
    /// One row an item.
    pub matrix: Matrix,
    /// Why the others have none.
    pub failed: Vec<(ItemId, Error)>,
}

/// How much work an interruption may lose.
const FLUSH_EVERY: Duration = Duration::from_secs(2);
/// How often an interruption is noticed while nothing arrives.
const LOOK_UP: Duration = Duration::from_millis(200);

/// Takes the features of `items`. A picture that cannot be read is left out and told in
/// [`Features::failed`]. With a cache, pictures seen before are not decoded again.
///
/// # Errors
/// If the cache cannot be written, or [`Error::Interrupted`]; what was done until then is in the
/// cache.
pub fn features(
    items: &[&Item],
    extractor: &dyn Extractor,
    cache: Option<&mut Cache>,
    progress: &dyn Progress,
) -> Result<Features> {
    progress.begin("looking at pictures", Some(items.len() as u64));
    let mut matrix = Matrix::zeros(items.len(), extractor.dimensions());
    let mut errors: Vec<Option<Error>> = items.iter().map(|_| None).collect();
    let cache = cache.map(RwLock::new);
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let workers = rayon::current_num_threads().min(items.len());
    thread::scope(|scope| {
        // A short queue: rows wait for the writer, not in memory.
        let (send, arrivals) = mpsc::sync_channel(workers * 4 + 1);
        for _ in 0..workers {
            let send = send.clone();
            let (cache, next, stop) = (cache.as_ref(), &next, &stop);
            scope.spawn(move || {
                while !stop.load(Relaxed) {
                    let at = next.fetch_add(1, Relaxed);
                    let Some(item) = items.get(at) else { return };
                    if send.send((at, look(item, extractor, cache))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let done = write_down(&arrivals, &mut matrix, &mut errors, cache.as_ref(), progress);
        stop.store(true, Relaxed);
        // Workers that wait for room in the queue find nobody there, and end.
        drop(arrivals);
        done
    })?;
    Ok(without_failed(items, matrix, errors))
}

/// Puts rows where they belong as they arrive, and into the cache.
fn write_down(
    arrivals: &mpsc::Receiver<(usize, Result<Look>)>,
    matrix: &mut Matrix,
    errors: &mut [Option<Error>],
    cache: Option<&RwLock<&mut Cache>>,
    progress: &dyn Progress,
) -> Result<()> {
    let mut flushed = Instant::now();
    let flush = || cache.map_or(Ok(()), |cache| locked(cache.write()).flush());
    loop {
        if progress.interrupted() {
            flush()?;
            return Err(Error::Interrupted);
        }
        match arrivals.recv_timeout(LOOK_UP) {
            Ok((at, Ok(look))) => {
                matrix.row_mut(at).copy_from_slice(&look.row);
                if let (Some(cache), Some(hash)) = (cache, look.fresh) {
                    locked(cache.write()).add(hash, &look.row)?;
                }
                progress.advance(1);
            }
            Ok((at, Err(error))) => {
                errors[at] = Some(error);
                progress.advance(1);
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => return flush(),
        }
        if flushed.elapsed() > FLUSH_EVERY {
            flush()?;
            flushed = Instant::now();
        }
    }
}

/// A lock's content; whoever panicked while holding it wrote at most one row.
fn locked<T>(lock: std::result::Result<T, PoisonError<T>>) -> T {
    lock.unwrap_or_else(PoisonError::into_inner)
}

fn without_failed(items: &[&Item], matrix: Matrix, errors: Vec<Option<Error>>) -> Features {
    let (mut seen, mut failed) = (Vec::with_capacity(items.len()), Vec::new());
    let mut kept = Vec::with_capacity(items.len());
    for (at, (item, error)) in items.iter().zip(errors).enumerate() {
        match error {
            None => {
                seen.push(item.id.clone());
                kept.push(at);
            }
            Some(error) => failed.push((item.id.clone(), error)),
        }
    }
    if failed.is_empty() {
        return Features { items: seen, matrix, failed };
    }
    Features { items: seen, matrix: matrix.only(&kept), failed }
}

struct Look {
    row: Vec<f32>,
    /// The content's hash, if the row is not in the cache yet.
    fresh: Option<ContentHash>,
}

fn look(
    item: &Item,
    extractor: &dyn Extractor,
    cache: Option<&RwLock<&mut Cache>>,
) -> Result<Look> {
    let (bytes, name) = picture::bytes(item)?;
    let hash = cache.map(|_| ContentHash::of(&bytes));
    if let (Some(cache), Some(hash)) = (cache, hash)
        && let Some(row) = locked(cache.read()).get(hash)
    {
        return Ok(Look { row: row.to_vec(), fresh: None });
    }
    let mut row = vec![0.0; extractor.dimensions()];
    extractor.extract(&picture::decode(&bytes, &name)?, &mut row)?;
    Ok(Look { row, fresh: hash })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rebus_collection::{ImageSource, Silent};

    use super::*;
    use crate::Picture;

    /// The mean of red; refuses black.
    struct Red;

    impl Extractor for Red {
        fn name(&self) -> &str {
            "red/1"
        }

        fn dimensions(&self) -> usize {
            1
        }

        fn extract(&self, picture: &Picture, features: &mut [f32]) -> Result<()> {
            let sum: u64 = picture.pixels().map(|pixel| u64::from(pixel.0[0])).sum();
            if sum == 0 {
                return Err(Error::Undecodable { name: "black".into(), what: "too dark".into() });
            }
            features[0] = sum as f32 / (picture.width() * picture.height()) as f32;
            Ok(())
        }
    }

    fn item(red: u8) -> Item {
        let picture = Picture::from_pixel(2, 2, image::Rgb([red, 0, 0]));
        let mut bytes = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
        let mut item = Item::new(ItemId::from(red.to_string().as_str()));
        item.image = ImageSource::Bytes(Arc::from(bytes.into_inner()));
        item
    }

    #[test]
    fn rows_keep_their_order_and_failures_are_told() {
        let items: Vec<Item> = (0..100).map(|k| item(k * 2)).collect();
        let items: Vec<&Item> = items.iter().collect();
        let folder = tempfile::tempdir().unwrap();
        let mut cache = Cache::open(folder.path(), &Red).unwrap();
        for _ in 0..2 {
            let seen = features(&items, &Red, Some(&mut cache), &Silent).unwrap();
            assert_eq!(seen.failed.len(), 1);
            assert_eq!(seen.items.len(), 99);
            let want: Vec<f32> = (1..100).map(|k| k as f32 * 2.0).collect();
            assert_eq!(seen.matrix.values(), want);
        }
        assert_eq!(cache.len(), 99);
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
    fn an_interruption_ends_the_work() {
        let items: Vec<Item> = (1..100).map(item).collect();
        let items: Vec<&Item> = items.iter().collect();
        assert!(matches!(features(&items, &Red, None, &Stop), Err(Error::Interrupted)));
        assert!(features(&[], &Red, None, &Silent).unwrap().items.is_empty());
    }
}
