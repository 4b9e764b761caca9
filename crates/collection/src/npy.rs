//! NumPy's `.npy` files, versions 1 to 3: score matrices, vectors, and lists of positions.
//!
//! A matrix of little-endian `f32` in C order is memory-mapped: however large, it costs no memory
//! of our own. Everything else (`f16`, `f64`, whole numbers, big-endian, Fortran order) is
//! converted while it is read. The header is checked against the length of the file before
//! anything is allocated.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::mapped::MappedFloats;
use crate::{Error, Matrix, Place, Result};

const MAGIC: &[u8] = b"\x93NUMPY";

/// Longer headers than this are nobody's: NumPy's own are a hundred bytes or so.
const LONGEST_HEADER: usize = 1 << 20;

/// Values converted at a time.
const BLOCK: usize = 1 << 16;

/// How one number is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bool,
    Signed,
    Unsigned,
    Float,
}

/// An `.npy` file whose header was read and checked.
#[derive(Debug)]
pub struct Npy {
    path: PathBuf,
    file: File,
    shape: Vec<usize>,
    kind: Kind,
    width: usize,
    big_endian: bool,
    fortran_order: bool,
    start: usize,
    count: usize,
}

/// Reads a matrix: one row of the array a row.
///
/// # Errors
/// If the file is no `.npy` file, is truncated, or holds no matrix; with the byte where it shows.
pub fn read_matrix(path: impl AsRef<Path>) -> Result<Matrix> {
    Npy::open(path)?.into_matrix()
}

impl Npy {
    /// Reads the header and checks it against the length of the file.
    ///
    /// # Errors
    /// If the header is damaged, its numbers are of a kind that is no number, or the file is
    /// shorter than the header promises.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let io = |source| Error::io(path, source);
        let mut file = File::open(path).map_err(io)?;
        let length = file.metadata().map_err(io)?.len();
        let (header, start) = read_header(path, &mut file, length)?;
        let text = std::str::from_utf8(&header)
            .map_err(|_| malformed(path, 10, "the header is not text"))?;
        let dictionary = Dictionary::parse(text).map_err(|(at, what)| {
            malformed(path, (start - header.len() + at) as u64, &format!("in the header: {what}"))
        })?;
        let (kind, width, big_endian) = parse_descr(&dictionary.descr).ok_or_else(|| {
            malformed(path, 10, &format!("numbers of kind {:?} cannot be read", dictionary.descr))
                .with_hint("save it as float32: numpy.save(path, array.astype('float32'))")
        })?;
        let count = dictionary.shape.iter().try_fold(1usize, |n, &m| n.checked_mul(m));
        let bytes = count.and_then(|count| count.checked_mul(width));
        let (Some(count), Some(bytes)) = (count, bytes) else {
            return Err(malformed(path, 10, &format!("impossible shape {:?}", dictionary.shape)));
        };
        let there = length.saturating_sub(start as u64);
        if there < bytes as u64 {
            let what = format!(
                "truncated: shape {:?} needs {bytes} bytes of numbers, the file has {there}",
                dictionary.shape
            );
            return Err(malformed(path, length, &what).with_hint("copy or write the file again"));
        }
        Ok(Self {
            path: path.to_path_buf(),
            file,
            shape: dictionary.shape,
            kind,
            width,
            big_endian,
            fortran_order: dictionary.fortran_order,
            start,
            count,
        })
    }

    /// The lengths along each dimension.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The array as a matrix; mapped, not copied, where it is `f32` in C order.
    ///
    /// # Errors
    /// If the array does not have two dimensions, or reading fails.
    pub fn into_matrix(mut self) -> Result<Matrix> {
        let &[rows, columns] = self.shape.as_slice() else {
            let what =
                format!("shape {:?} has {} dimensions, not two", self.shape, self.shape.len());
            return Err(malformed(&self.path, 10, &what)
                .with_hint("a score matrix has a row an image and a column a text"));
        };
        let as_it_lies = self.kind == Kind::Float && self.width == 4 && !self.big_endian;
        let in_order = !self.fortran_order || rows <= 1 || columns <= 1;
        if as_it_lies && in_order && cfg!(target_endian = "little") && self.start.is_multiple_of(4)
        {
            if self.count == 0 {
                return Matrix::new(rows, columns, Vec::new());
            }
            let floats = MappedFloats::open(&self.path, &self.file, self.start, self.count)?;
            return Matrix::mapped(rows, columns, floats);
        }
        let mut matrix = Matrix::zeros(rows, columns);
        let values = matrix.values_mut();
        self.each(|at, number| {
            // Down the columns first, in Fortran order.
            let at = if in_order { at } else { (at % rows) * columns + at / rows };
            values[at] = number.float();
            Ok(())
        })?;
        Ok(matrix)
    }

    /// A list of positions, counted from 0: an array of whole numbers, of one dimension (or of
    /// two, one of which is 1).
    ///
    /// # Errors
    /// If there are more dimensions, or a number is negative or not whole.
    pub fn into_positions(mut self) -> Result<Vec<usize>> {
        if self.shape.iter().filter(|&&length| length != 1).count() > 1 {
            let what = format!("shape {:?} is no list", self.shape);
            return Err(malformed(&self.path, 10, &what));
        }
        let mut positions = Vec::with_capacity(self.count);
        let path = self.path.clone();
        let (start, width) = (self.start, self.width);
        self.each(|at, number| {
            let position = number.position().ok_or_else(|| {
                let byte = (start + at * width) as u64;
                malformed(&path, byte, &format!("entry {at} is {}, no position", number.float()))
            })?;
            positions.push(position);
            Ok(())
        })?;
        Ok(positions)
    }

    /// Reads number after number, in the order in which they lie in the file.
    fn each(&mut self, mut take: impl FnMut(usize, Number) -> Result<()>) -> Result<()> {
        let io = |source| Error::io(&self.path, source);
        self.file.seek(SeekFrom::Start(self.start as u64)).map_err(io)?;
        let mut reader = BufReader::with_capacity(BLOCK * self.width, &self.file);
        let mut bytes = vec![0; self.width];
        for at in 0..self.count {
            reader.read_exact(&mut bytes).map_err(io)?;
            if self.big_endian {
                bytes.reverse();
            }
            take(at, Number::new(self.kind, &bytes))?;
        }
        Ok(())
    }
}

/// One number as it was stored.
#[derive(Debug, Clone, Copy)]
enum Number {
    Float(f64),
    Signed(i64),
    Unsigned(u64),
}

impl Number {
    /// From little-endian bytes.
    fn new(kind: Kind, bytes: &[u8]) -> Self {
        let mut wide = [0; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        let bits = u64::from_le_bytes(wide);
        match (kind, bytes.len()) {
            (Kind::Float, 2) => Self::Float(half::f16::from_bits(bits as u16).to_f64()),
            (Kind::Float, 4) => Self::Float(f32::from_bits(bits as u32).into()),
            (Kind::Float, _) => Self::Float(f64::from_bits(bits)),
            (Kind::Signed, width) => {
                let unused = 64 - 8 * width as u32;
                Self::Signed((bits as i64) << unused >> unused)
            }
            (Kind::Bool | Kind::Unsigned, _) => Self::Unsigned(bits),
        }
    }

    fn float(self) -> f32 {
        match self {
            Self::Float(value) => value as f32,
            Self::Signed(value) => value as f32,
            Self::Unsigned(value) => value as f32,
        }
    }

    fn position(self) -> Option<usize> {
        match self {
            Self::Float(value) if value >= 0.0 && value.fract() == 0.0 && value < 9e15 => {
                Some(value as usize)
            }
            Self::Float(_) => None,
            Self::Signed(value) => usize::try_from(value).ok(),
            Self::Unsigned(value) => usize::try_from(value).ok(),
        }
    }
}

fn malformed(path: &Path, byte: u64, what: &str) -> Error {
    Error::malformed(Place::file(path).byte(byte), what)
}

/// The header's text, and where the numbers begin.
fn read_header(path: &Path, file: &mut File, length: u64) -> Result<(Vec<u8>, usize)> {
    let mut fixed = Vec::with_capacity(12);
    file.take(12).read_to_end(&mut fixed).map_err(|source| Error::io(path, source))?;
    if fixed.len() < MAGIC.len() || &fixed[..MAGIC.len()] != MAGIC {
        return Err(malformed(path, 0, "no .npy file: it does not begin with \\x93NUMPY")
            .with_hint("write it with numpy.save(path, array)"));
    }
    let cut_off = || malformed(path, length, "truncated within the header");
    let &[.., major, _minor, a, b, c, d] = fixed.as_slice() else { return Err(cut_off()) };
    let (begin, header_length) = match major {
        1 => (10, usize::from(u16::from_le_bytes([a, b]))),
        2 | 3 => (12, u32::from_le_bytes([a, b, c, d]) as usize),
        other => return Err(malformed(path, 6, &format!(".npy version {other} is unknown"))),
    };
    if header_length > LONGEST_HEADER {
        return Err(malformed(path, 8, &format!("a header of {header_length} bytes is absurd")));
    }
    if (begin + header_length) as u64 > length {
        return Err(cut_off());
    }
    let mut header = vec![0; header_length];
    file.seek(SeekFrom::Start(begin as u64))
        .and_then(|_| file.read_exact(&mut header))
        .map_err(|source| Error::io(path, source))?;
    Ok((header, begin + header_length))
}

/// Kind, bytes a number, and whether the most significant byte comes first.
fn parse_descr(descr: &str) -> Option<(Kind, usize, bool)> {
    let (order, rest) = match descr.as_bytes().first()? {
        b'<' | b'|' | b'=' => (false, &descr[1..]),
        b'>' => (true, &descr[1..]),
        _ => (false, descr),
    };
    let (kind, widths): (Kind, &[usize]) = match rest.chars().next()? {
        'f' => (Kind::Float, &[2, 4, 8]),
        'i' => (Kind::Signed, &[1, 2, 4, 8]),
        'u' => (Kind::Unsigned, &[1, 2, 4, 8]),
        'b' => (Kind::Bool, &[1]),
        _ => return None,
    };
    let width = rest[1..].parse().ok().filter(|width| widths.contains(width))?;
    Some((kind, width, order))
}

/// The three entries of a header, which is a Python dictionary.
#[derive(Debug, Default)]
struct Dictionary {
    descr: String,
    fortran_order: bool,
    shape: Vec<usize>,
}

/// Where parsing failed, and why.
type Fault = (usize, &'static str);

impl Dictionary {
    fn parse(text: &str) -> std::result::Result<Self, Fault> {
        let mut cursor = Cursor { text, at: 0 };
        let (mut descr, mut fortran_order, mut shape) = (None, None, None);
        cursor.expect('{', "no dictionary")?;
        while !cursor.skip('}') {
            let at = cursor.at;
            let key = cursor.string()?;
            cursor.expect(':', "no colon after a key")?;
            match key {
                "descr" => descr = Some(cursor.string()?.to_owned()),
                "fortran_order" => fortran_order = Some(cursor.truth()?),
                "shape" => shape = Some(cursor.tuple()?),
                _ => return Err((at, "an unknown key")),
            }
            if !cursor.skip(',') {
                cursor.expect('}', "no comma between entries")?;
                break;
            }
        }
        Ok(Self {
            descr: descr.ok_or((0, "descr is missing"))?,
            fortran_order: fortran_order.ok_or((0, "fortran_order is missing"))?,
            shape: shape.ok_or((0, "shape is missing"))?,
        })
    }
}

/// Walks over the text of a header.
struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn rest(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        trimmed
    }

    fn skip(&mut self, sign: char) -> bool {
        let there = self.rest().starts_with(sign);
        self.at += if there { sign.len_utf8() } else { 0 };
        there
    }

    fn expect(&mut self, sign: char, what: &'static str) -> std::result::Result<(), Fault> {
        if self.skip(sign) { Ok(()) } else { Err((self.at, what)) }
    }

    fn string(&mut self) -> std::result::Result<&'a str, Fault> {
        let rest = self.rest();
        let fault = (self.at, "no string in quotes");
        let quote = rest.chars().next().filter(|sign| matches!(sign, '\'' | '"')).ok_or(fault)?;
        let inner = &rest[1..];
        let end = inner.find(quote).ok_or(fault)?;
        self.at += end + 2;
        Ok(&inner[..end])
    }

    fn truth(&mut self) -> std::result::Result<bool, Fault> {
        let rest = self.rest();
        for (word, value) in [("True", true), ("False", false)] {
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err((self.at, "neither True nor False"))
    }

    fn tuple(&mut self) -> std::result::Result<Vec<usize>, Fault> {
        self.expect('(', "no shape in parentheses")?;
        let mut lengths = Vec::new();
        while !self.skip(')') {
            let rest = self.rest();
            let digits = rest.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(rest.len());
            let length = rest[..digits].parse().map_err(|_| (self.at, "no length in the shape"))?;
            self.at += digits;
            // Python 2 wrote long integers as 3L.
            self.skip('L');
            lengths.push(length);
            if lengths.len() > 32 {
                return Err((self.at, "more than 32 dimensions"));
            }
            if !self.skip(',') {
                self.expect(')', "no comma in the shape")?;
                break;
            }
        }
        Ok(lengths)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn bytes(version: u8, descr: &str, fortran: &str, shape: &str, data: &[u8]) -> Vec<u8> {
        let mut header =
            format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}");
        let fixed = if version == 1 { 10 } else { 12 };
        while (fixed + header.len() + 1) % 64 != 0 {
            header.push(' ');
        }
        header.push('\n');
        let mut all = MAGIC.to_vec();
        all.extend([version, 0]);
        match version {
            1 => all.extend((header.len() as u16).to_le_bytes()),
            _ => all.extend((header.len() as u32).to_le_bytes()),
        }
        all.extend(header.as_bytes());
        all.extend(data);
        all
    }

    fn written(content: &[u8]) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(content).unwrap();
        file
    }

    fn floats(values: &[f32]) -> Vec<u8> {
        values.iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    #[test]
    fn f32_is_mapped() {
        for version in [1, 2, 3] {
            let file = written(&bytes(
                version,
                "<f4",
                "False",
                "(2, 3)",
                &floats(&[1., 2., 3., 4., 5., 6.]),
            ));
            let matrix = read_matrix(file.path()).unwrap();
            assert!(matrix.is_mapped());
            assert_eq!(matrix.row(1), [4., 5., 6.]);
            let mut copy = matrix.clone();
            copy.row_mut(0)[0] = 9.0;
            assert!(!copy.is_mapped());
            assert_eq!(matrix.row(0), [1., 2., 3.]);
        }
    }

    #[test]
    fn other_kinds_are_converted() {
        let expected = Matrix::new(2, 2, vec![1., 2., -3., 4.]).unwrap();
        let same = |descr: &str, fortran: &str, data: Vec<u8>| {
            let expected = if descr.contains('u') {
                Matrix::new(2, 2, vec![1., 2., 3., 4.]).unwrap()
            } else {
                expected.clone()
            };
            let file = written(&bytes(1, descr, fortran, "(2, 2)", &data));
            assert_eq!(read_matrix(file.path()).unwrap(), expected, "{descr} {fortran}");
        };
        same("<f8", "False", [1f64, 2., -3., 4.].iter().flat_map(|v| v.to_le_bytes()).collect());
        same(">f8", "False", [1f64, 2., -3., 4.].iter().flat_map(|v| v.to_be_bytes()).collect());
        same(">f4", "False", [1f32, 2., -3., 4.].iter().flat_map(|v| v.to_be_bytes()).collect());
        same("<f4", "True", floats(&[1., -3., 2., 4.]));
        same("<f8", "True", [1f64, -3., 2., 4.].iter().flat_map(|v| v.to_le_bytes()).collect());
        same("<i2", "False", [1i16, 2, -3, 4].iter().flat_map(|v| v.to_le_bytes()).collect());
        same("|i1", "False", vec![1, 2, 253, 4]);
        same("<i8", "False", [1i64, 2, -3, 4].iter().flat_map(|v| v.to_le_bytes()).collect());
        same("<u4", "False", [1u32, 2, 3, 4].iter().flat_map(|v| v.to_le_bytes()).collect());
        let halves = [1f32, 2., -3., 4.].map(half::f16::from_f32);
        same("<f2", "False", halves.iter().flat_map(|v| v.to_le_bytes()).collect());
    }

    #[test]
    fn positions() {
        let data: Vec<u8> = [0i64, 2, 1].iter().flat_map(|v| v.to_le_bytes()).collect();
        let file = written(&bytes(1, "<i8", "False", "(3,)", &data));
        assert_eq!(Npy::open(file.path()).unwrap().into_positions().unwrap(), [0, 2, 1]);
        let file = written(&bytes(1, "<i2", "False", "(1,)", &(-1i16).to_le_bytes()));
        let error = Npy::open(file.path()).unwrap().into_positions().unwrap_err();
        assert!(error.to_string().contains("entry 0 is -1"), "{error}");
    }

    #[test]
    fn truncation_at_every_byte_is_refused() {
        let whole = bytes(1, "<f4", "False", "(2, 3)", &floats(&[1., 2., 3., 4., 5., 6.]));
        for length in 0..whole.len() {
            let file = written(&whole[..length]);
            let error = read_matrix(file.path()).unwrap_err();
            let byte = match &error {
                Error::Malformed { place, .. } => place.byte,
                other => panic!("{other}"),
            };
            assert!(byte.is_some_and(|byte| byte <= length as u64), "{length}: {error}");
        }
    }

    #[test]
    fn absurd_headers_are_refused() {
        for (descr, shape) in [
            ("<f4", "(4294967296, 4294967296, 4)"),
            ("<f4", "(1000000, 1000000)"),
            ("<f4", "(-1, 2)"),
            ("<f4", "(99999999999999999999, 2)"),
            ("<f4", "(2)x"),
            ("<c8", "(2, 2)"),
            ("|O", "(2, 2)"),
            ("<U3", "(2, 2)"),
            ("<f16", "(2, 2)"),
            ("f", "(2, 2)"),
            ("", "(2, 2)"),
        ] {
            let file = written(&bytes(1, descr, "False", shape, &[0; 64]));
            assert!(read_matrix(file.path()).is_err(), "{descr} {shape}");
        }
        let file = written(&bytes(1, "<f4", "False", "(2, 2, 1)", &[0; 16]));
        let error = read_matrix(file.path()).unwrap_err();
        assert!(error.to_string().contains("3 dimensions"), "{error}");
        let file = written(&bytes(1, "<f4", "Maybe", "(2, 2)", &[0; 16]));
        assert!(read_matrix(file.path()).is_err());
        let file = written(&bytes(9, "<f4", "False", "(2, 2)", &[0; 16]));
        assert!(read_matrix(file.path()).is_err());
    }

    #[test]
    fn an_empty_matrix_is_fine() {
        let file = written(&bytes(1, "<f4", "False", "(0, 5)", &[]));
        assert_eq!(read_matrix(file.path()).unwrap(), Matrix::zeros(0, 5));
    }
}
