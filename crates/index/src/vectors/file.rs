//! The file of vectors of one model: a header, then a row a photo, in the order of their numbers.
//!
//! Numbers are little-endian 16-bit floats. The file only grows. What counts is what the catalogue
//! has committed: a [`Committed`] says how many rows that is and what their blocks hash to. Rows
//! beyond it were being written when something ended the writer; the next one overwrites them.
//!
//! A block is checked once, before the first of its rows is read ([`Vectors::trust`]); going along the
//! links of a graph, only for the photos that are shown ([`Vectors::trust_photos`]).

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use half::f16;
use rayon::prelude::*;
use rebus_collection::{ContentHash, MappedFile};

use super::blocks::{BLOCK, BlockCheck, Committed, Trusted, of_photos, of_selection};
use super::wide;
use crate::{Error, PhotoId, Result, Selection};

const MAGIC: &[u8; 8] = b"REBUSVEC";
const VERSION: u32 = 1;
/// Bytes of the header: magic, version, dimensions, the model's hash, a check of these, zeros.
const HEADER: usize = 64;
const CHECKED: usize = 48;

/// The vectors of one model, memory-mapped: a snapshot of one commit.
#[derive(Debug, Clone)]
pub struct Vectors {
    path: PathBuf,
    file: MappedFile,
    dimensions: usize,
    rows: usize,
    trusted: Trusted,
}

impl Vectors {
    /// Maps a file. Checksums are not looked at here but when rows are read, for that reads the whole
    /// file.
    ///
    /// # Errors
    /// If the file is no file of vectors of this model and length, or too short.
    pub fn open(
        path: &Path,
        model: ContentHash,
        dimensions: usize,
        committed: &Committed,
    ) -> Result<Self> {
        let file = MappedFile::open(path)
            .map_err(|error| Error::damaged(path, format!("cannot be mapped: {error}")))?;
        let head = file.bytes().get(..HEADER).unwrap_or_default();
        check_header(path, head, &header(model, dimensions))?;
        let rows = committed.rows as usize;
        let needed = HEADER + rows * dimensions * 2;
        if file.bytes().len() < needed {
            let what = format!("{} bytes where {needed} were committed", file.bytes().len());
            return Err(Error::damaged(path, what));
        }
        let trusted = Trusted::new(committed);
        Ok(Self { path: path.to_path_buf(), file, dimensions, rows, trusted })
    }

    /// Where they lie.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many vectors there are; the numbers of photos are below it.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The length of a vector.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// The vector of a photo, if it has one.
    ///
    /// # Errors
    /// If its block is damaged.
    pub fn row(&self, id: PhotoId) -> Result<Option<Vec<f32>>> {
        self.trust_photos(&[id])?;
        let row = id.0 as usize;
        Ok((row < self.rows).then(|| self.widened(row)))
    }

    /// Makes sure that the blocks of these photos, or all, are as they were committed. Each is read
    /// for that the first time only.
    ///
    /// # Errors
    /// If one of them is damaged.
    pub(super) fn trust(&self, among: Option<&Selection>) -> Result<()> {
        let all = self.rows.div_ceil(BLOCK);
        match among {
            None => self.trust_blocks(0..all),
            Some(among) => self.trust_blocks(of_selection(among, all)),
        }
    }

    /// The same for a few photos.
    ///
    /// # Errors
    /// As [`Self::trust`].
    pub(crate) fn trust_photos(&self, photos: &[PhotoId]) -> Result<()> {
        self.trust_blocks(of_photos(photos, self.rows))
    }

    fn trust_blocks(&self, blocks: impl Iterator<Item = usize>) -> Result<()> {
        let unknown: Vec<usize> = blocks.filter(|&at| !self.trusted.is_known(at)).collect();
        let check = |&at: &usize| {
            let (from, to) = self.block(at);
            self.trusted.check(at, self.bytes(from, to))
        };
        // Waking others takes longer than one block.
        let damaged = match unknown.as_slice() {
            [] => return Ok(()),
            [only] => (!check(only)).then_some(*only),
            several => several.par_iter().copied().find_first(|at| !check(at)),
        };
        match damaged {
            None => Ok(()),
            Some(at) => {
                let (from, to) = self.block(at);
                let what = format!("rows {from} to {} do not fit their checksum", to - 1);
                Err(Error::damaged(&self.path, what))
            }
        }
    }

    /// The first row of a block and the one behind its last.
    fn block(&self, at: usize) -> (usize, usize) {
        (at * BLOCK, self.rows.min((at + 1) * BLOCK))
    }

    /// A row that must be there, and should be trusted.
    pub(super) fn widened(&self, row: usize) -> Vec<f32> {
        let mut numbers = vec![0.0; self.dimensions];
        wide::widen(self.bytes(row, row + 1), &mut numbers);
        numbers
    }

    /// Whether two rows, which must be there, are the same.
    pub(super) fn are_copies(&self, a: PhotoId, b: PhotoId) -> bool {
        let bytes = |id: PhotoId| self.bytes(id.0 as usize, id.0 as usize + 1);
        bytes(a) == bytes(b)
    }

    /// Says that a row will be scored soon, so that the processor may fetch it; it must be there.
    pub(super) fn announce(&self, row: usize) {
        wide::announce(self.bytes(row, row + 1));
    }

    /// The rows whose block is not as it was committed: first and last of each, counted from 0.
    pub fn damage(&self) -> Vec<(u32, u32)> {
        (0..self.rows.div_ceil(BLOCK))
            .map(|at| (at, self.block(at)))
            .filter(|&(at, (from, to))| !self.trusted.check(at, self.bytes(from, to)))
            .map(|(_, (from, to))| (from as u32, to as u32 - 1))
            .collect()
    }

    /// The dot products of `query` with the rows from `from` on, as many as `scores` has room for;
    /// the rows must be there and the query as long as they are.
    pub(super) fn score(&self, from: usize, query: &[f32], scores: &mut [f32]) {
        wide::dot_products(self.bytes(from, from + scores.len()), query, scores);
    }

    fn bytes(&self, from: usize, to: usize) -> &[u8] {
        let width = self.dimensions * 2;
        &self.file.bytes()[HEADER + from * width..HEADER + to * width]
    }
}

/// Appends rows to a file of vectors.
#[derive(Debug)]
pub struct VectorWriter {
    path: PathBuf,
    file: BufWriter<File>,
    dimensions: usize,
    rows: usize,
    checks: Vec<BlockCheck>,
    /// The bytes of the block that is not full yet.
    block: Vec<u8>,
}

impl VectorWriter {
    /// Begins a file, in place of whatever is there.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn create(path: &Path, model: ContentHash, dimensions: usize) -> Result<Self> {
        let file = File::create(path).map_err(|source| Error::io(path, source))?;
        let mut file = BufWriter::new(file);
        file.write_all(&header(model, dimensions)).map_err(|source| Error::io(path, source))?;
        Ok(Self {
            path: path.to_path_buf(),
            file,
            dimensions,
            rows: 0,
            checks: Vec::new(),
            block: Vec::new(),
        })
    }

    /// Goes on with a file after what was committed.
    ///
    /// # Errors
    /// If the file is no file of vectors of this model and length, too short, or its last block is
    /// not as it was committed.
    pub fn append(
        path: &Path,
        model: ContentHash,
        dimensions: usize,
        committed: &Committed,
    ) -> Result<Self> {
        let io = |source| Error::io(path, source);
        let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(io)?;
        let mut head = Vec::new();
        (&mut file).take(HEADER as u64).read_to_end(&mut head).map_err(io)?;
        check_header(path, &head, &header(model, dimensions))?;
        let rows = committed.rows as usize;
        let (width, whole) = (dimensions * 2, rows / BLOCK);
        let end = (HEADER + rows * width) as u64;
        if file.metadata().map_err(io)?.len() < end {
            return Err(Error::damaged(path, format!("shorter than the {end} bytes committed")));
        }
        let mut block = vec![0; (rows - whole * BLOCK) * width];
        file.seek(SeekFrom::Start((HEADER + whole * BLOCK * width) as u64)).map_err(io)?;
        file.read_exact(&mut block).map_err(io)?;
        if !block.is_empty() && committed.checks.get(whole) != Some(&BlockCheck::of(&block)) {
            let what = format!("the rows from {} on are not as they were committed", whole * BLOCK);
            return Err(Error::damaged(path, what));
        }
        let mut checks = committed.checks.clone();
        checks.truncate(whole);
        file.set_len(end).map_err(io)?;
        Ok(Self {
            path: path.to_path_buf(),
            file: BufWriter::new(file),
            dimensions,
            rows,
            checks,
            block,
        })
    }

    /// How many rows there are, committed or not: the number of the next.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Adds the vector of the next photo.
    ///
    /// # Errors
    /// If it has another length, holds a number that 16 bits cannot hold, or cannot be written.
    pub fn push(&mut self, vector: &[f32]) -> Result<()> {
        if vector.len() != self.dimensions {
            return Err(Error::Shape { expected: self.dimensions, found: vector.len() });
        }
        let halves: Vec<f16> = vector.iter().map(|&value| f16::from_f32(value)).collect();
        if let Some(column) = halves.iter().position(|half| !half.is_finite()) {
            return Err(Error::NotFinite { column, value: vector[column] });
        }
        let start = self.block.len();
        self.block.extend(halves.iter().flat_map(|half| half.to_le_bytes()));
        let written = self.file.write_all(&self.block[start..]);
        written.map_err(|source| Error::io(&self.path, source))?;
        self.rows += 1;
        if self.rows.is_multiple_of(BLOCK) {
            self.checks.push(BlockCheck::of(&self.block));
            self.block.clear();
        }
        Ok(())
    }

    /// Brings all rows to the disk, and says what the catalogue must keep for them to count.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn commit(&mut self) -> Result<Committed> {
        let io = |source| Error::io(&self.path, source);
        self.file.flush().map_err(io)?;
        self.file.get_ref().sync_data().map_err(io)?;
        let mut checks = self.checks.clone();
        if !self.block.is_empty() {
            checks.push(BlockCheck::of(&self.block));
        }
        Ok(Committed { rows: self.rows as u32, checks })
    }
}

fn header(model: ContentHash, dimensions: usize) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[12..16].copy_from_slice(&(dimensions as u32).to_le_bytes());
    header[16..CHECKED].copy_from_slice(&model.0);
    let check = BlockCheck::of(&header[..CHECKED]).0;
    header[CHECKED..CHECKED + 8].copy_from_slice(&check.to_le_bytes());
    header
}

fn check_header(path: &Path, found: &[u8], wanted: &[u8; HEADER]) -> Result<()> {
    let refuse = |what: &str| Err(Error::damaged(path, what));
    if found.len() < HEADER || &found[..8] != MAGIC {
        return refuse("not a file of vectors");
    }
    if BlockCheck::of(&found[..CHECKED]).0.to_le_bytes() != found[CHECKED..CHECKED + 8] {
        return refuse("the header is damaged");
    }
    let number = |from: usize| {
        let mut four = [0; 4];
        four.copy_from_slice(&found[from..from + 4]);
        u32::from_le_bytes(four)
    };
    if number(8) != VERSION {
        return refuse(&format!("version {} where this program knows {VERSION}", number(8)));
    }
    if found[12..16] != wanted[12..16] {
        return refuse(&format!("vectors of {} numbers: those of another model", number(12)));
    }
    if found != wanted {
        return refuse("the vectors of another model");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: usize = 3;

    fn model() -> ContentHash {
        ContentHash::of(b"a model")
    }

    fn vector(row: usize) -> [f32; WIDTH] {
        [(row % 97) as f32 / 64.0, -1.0, (row / 97) as f32 * 0.25]
    }

    fn filled(path: &Path, rows: usize) -> Committed {
        let mut writer = VectorWriter::create(path, model(), WIDTH).unwrap();
        (0..rows).for_each(|row| writer.push(&vector(row)).unwrap());
        writer.commit().unwrap()
    }

    #[test]
    fn rows_come_back_and_what_was_not_committed_does_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("vectors");
        let first = filled(&path, 10);
        let mut writer = VectorWriter::append(&path, model(), WIDTH, &first).unwrap();
        (0..7).for_each(|_| writer.push(&[9.0; WIDTH]).unwrap());
        // Written, but the catalogue never heard of it.
        writer.commit().unwrap();
        let mut writer = VectorWriter::append(&path, model(), WIDTH, &first).unwrap();
        (10..BLOCK + 5).for_each(|row| writer.push(&vector(row)).unwrap());
        let second = writer.commit().unwrap();
        assert_eq!(second, filled(&folder.path().join("at once"), BLOCK + 5));

        let vectors = Vectors::open(&path, model(), WIDTH, &second).unwrap();
        assert_eq!(vectors.len(), BLOCK + 5);
        for row in 0..BLOCK + 5 {
            assert_eq!(vectors.row(PhotoId(row as u32)).unwrap().unwrap(), vector(row));
        }
        assert_eq!(vectors.row(PhotoId(BLOCK as u32 + 5)).unwrap(), None);
        assert!(vectors.damage().is_empty());
        // A reader of the earlier commit sees that.
        assert_eq!(Vectors::open(&path, model(), WIDTH, &first).unwrap().len(), 10);
    }

    #[test]
    fn damage_is_found_and_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("vectors");
        let committed = filled(&path, 2 * BLOCK + 1);
        let good = std::fs::read(&path).unwrap();
        let changed = |at: usize| {
            let mut bad = good.clone();
            bad[at] ^= 4;
            std::fs::write(&path, bad).unwrap();
        };
        for (row, range) in [
            (0, (0, BLOCK - 1)),
            (BLOCK, (BLOCK, 2 * BLOCK - 1)),
            (2 * BLOCK, (2 * BLOCK, 2 * BLOCK)),
        ] {
            changed(HEADER + row * WIDTH * 2);
            let vectors = Vectors::open(&path, model(), WIDTH, &committed).unwrap();
            assert_eq!(vectors.damage(), [(range.0 as u32, range.1 as u32)]);
        }
        // The last change is in the block that a writer goes on with.
        assert!(VectorWriter::append(&path, model(), WIDTH, &committed).is_err());
        for at in [0, 9, 13, 20, 50] {
            changed(at);
            assert!(Vectors::open(&path, model(), WIDTH, &committed).is_err(), "byte {at}");
        }
        for length in [0, 5, HEADER, good.len() - 1] {
            std::fs::write(&path, &good[..length]).unwrap();
            assert!(Vectors::open(&path, model(), WIDTH, &committed).is_err(), "{length} bytes");
            assert!(VectorWriter::append(&path, model(), WIDTH, &committed).is_err());
        }
        std::fs::write(&path, &good).unwrap();
        let other = ContentHash::of(b"another model");
        assert!(Vectors::open(&path, other, WIDTH, &committed).is_err());
        assert!(Vectors::open(&path, model(), WIDTH + 1, &committed).is_err());
    }

    #[test]
    fn what_cannot_be_kept_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("vectors");
        let mut writer = VectorWriter::create(&path, model(), WIDTH).unwrap();
        assert!(matches!(writer.push(&[0.0; 2]), Err(Error::Shape { .. })));
        for bad in [f32::NAN, f32::INFINITY, 70_000.0] {
            assert!(matches!(
                writer.push(&[0.0, bad, 0.0]),
                Err(Error::NotFinite { column: 1, .. })
            ));
        }
        assert!(writer.is_empty());
    }
}
