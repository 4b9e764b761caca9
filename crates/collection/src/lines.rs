//! Text files a line at a time, with the number of each line.
//!
//! Every reader of a text format stands on [`Lines`], so that all of them treat the same things
//! the same way: a byte order mark is dropped, `\r\n` ends a line as `\n` does, a name ending in
//! `.gz` is unpacked on the way, UTF-16 with a byte order mark is understood, bytes that are not
//! UTF-8 are read as Windows-1252 and said so, and a line beyond [`LONGEST`] is left out instead of
//! filling the memory.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use encoding_rs::{Decoder, Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};
use flate2::read::MultiGzDecoder;

use crate::{Error, Finding, Place, Record, Result, Severity, Sink};

/// The longest line that is read, in bytes. What is longer is no line of text.
pub const LONGEST: usize = 64 << 20;

const BUFFER: usize = 64 << 10;

/// What a gzip file begins with.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Opens a file for reading; what is packed by gzip, or says so by its name, is unpacked on the way.
pub fn open(path: &Path) -> Result<Box<dyn Read + Send>> {
    let io = |source| Error::io(path, source);
    let mut file = File::open(path).map_err(io)?;
    let named = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("gz"));
    let packed = named || begins_with_gzip(&mut file).map_err(io)?;
    Ok(if packed {
        Box::new(MultiGzDecoder::new(BufReader::with_capacity(BUFFER, file)))
    } else {
        Box::new(file)
    })
}

fn begins_with_gzip(file: &mut File) -> std::io::Result<bool> {
    // Pipes and devices have no beginning to go back to.
    if !file.metadata()?.is_file() {
        return Ok(false);
    }
    let mut head = Vec::new();
    file.take(GZIP.len() as u64).read_to_end(&mut head)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(head == GZIP)
}

/// The name of a file without a final `.gz`, in lower case: what its format is guessed from.
pub fn plain_name(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase());
    let name = name.unwrap_or_default();
    name.strip_suffix(".gz").map(str::to_owned).unwrap_or(name)
}

/// The beginning of a file, unpacked, at most `bytes` of it; empty where it cannot be read.
pub fn head(path: &Path, bytes: usize) -> Vec<u8> {
    let mut head = Vec::new();
    if let Ok(file) = open(path) {
        // What was unpacked before an error is still good enough to guess from.
        let _ = file.take(bytes as u64).read_to_end(&mut head);
    }
    head
}

/// Gives every line of a file to `each`, and what was odd about the encoding to the sink.
pub fn for_each_line(
    path: &Path,
    sink: &mut dyn Sink,
    mut each: impl FnMut(Line<'_>, &mut dyn Sink) -> Result<()>,
) -> Result<()> {
    let mut lines = Lines::open(path)?;
    while let Some(line) = lines.next_line()? {
        each(line, sink)?;
        lines.report(sink)?;
    }
    lines.report(sink)
}

/// A whole text file, its lines ended by `\n`; what was odd about the encoding goes to the sink.
pub fn whole(path: &Path, sink: &mut dyn Sink) -> Result<String> {
    let mut text = String::new();
    for_each_line(path, sink, |line, _| {
        if text.len() + line.text.len() > LONGEST {
            let place = Place::file(path).line(line.number);
            return Err(Error::malformed(place, format!("larger than {LONGEST} bytes")));
        }
        text.push_str(line.text);
        text.push('\n');
        Ok(())
    })?;
    Ok(text)
}

/// A line of text and its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// Counted from 1.
    pub number: u64,
    /// The line without its end.
    pub text: &'a str,
}

/// The lines of a text.
pub struct Lines<R> {
    source: BufReader<Source<R>>,
    path: PathBuf,
    number: u64,
    bytes: Vec<u8>,
    text: String,
    longest: usize,
    odd_lines: u64,
    findings: Vec<Finding>,
    started: bool,
}

impl Lines<Box<dyn Read + Send>> {
    /// The lines of a file.
    pub fn open(path: &Path) -> Result<Self> {
        Ok(Self::new(path, open(path)?))
    }
}

impl<R: Read> Lines<R> {
    /// The lines of anything; `path` is what messages call it.
    pub fn new(path: impl AsRef<Path>, source: R) -> Self {
        Self {
            source: BufReader::with_capacity(BUFFER, Source::Plain(source)),
            path: path.as_ref().to_path_buf(),
            number: 0,
            bytes: Vec::new(),
            text: String::new(),
            longest: LONGEST,
            odd_lines: 0,
            findings: Vec::new(),
            started: false,
        }
    }

    /// The same with another limit to the length of a line, in bytes.
    #[must_use]
    pub fn longest(mut self, bytes: usize) -> Self {
        self.longest = bytes;
        self
    }

    /// The file these lines are from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The place of the line read last.
    pub fn place(&self) -> Place {
        Place::file(&self.path).line(self.number)
    }

    /// Hands what was odd since the last call to a sink.
    pub fn report(&mut self, sink: &mut dyn Sink) -> Result<()> {
        self.findings.drain(..).try_for_each(|finding| sink.put(Record::Finding(finding)))
    }

    /// What was odd since the last call.
    pub fn take_findings(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.findings)
    }

    /// The next line, without its end; `None` after the last. The text is borrowed, so that no
    /// memory is taken per line.
    pub fn next_line(&mut self) -> Result<Option<Line<'_>>> {
        if !self.started {
            self.started = true;
            self.start()?;
        }
        loop {
            match self.fill()? {
                Filled::End => {
                    self.sum_up();
                    return Ok(None);
                }
                Filled::TooLong => {
                    let what = format!("a line of more than {} bytes was left out", self.longest);
                    self.find(what, Severity::Skipped);
                }
                Filled::Line => break,
            }
        }
        if std::str::from_utf8(&self.bytes).is_err() {
            let (text, _) = WINDOWS_1252.decode_without_bom_handling(&self.bytes);
            self.text.clear();
            self.text.push_str(&text);
            self.odd_lines += 1;
            if self.odd_lines == 1 {
                let what = "bytes that are not UTF-8 were read as Windows-1252";
                self.find(what.to_owned(), Severity::Note);
            }
            return Ok(Some(Line { number: self.number, text: &self.text }));
        }
        // Checked just above; the second look is cheap beside reading.
        let text = std::str::from_utf8(&self.bytes).unwrap_or_default();
        Ok(Some(Line { number: self.number, text }))
    }

    fn find(&mut self, what: String, severity: Severity) {
        self.findings.push(Finding { place: self.place(), what, severity });
    }

    fn sum_up(&mut self) {
        if self.odd_lines > 1 {
            let what =
                format!("{} lines that are not UTF-8 were read as Windows-1252", self.odd_lines);
            let place = Place::file(&self.path);
            self.findings.push(Finding { place, what, severity: Severity::Note });
        }
        self.odd_lines = 0;
    }

    fn trouble(&self, source: std::io::Error) -> Error {
        Error::Io { place: Place::file(&self.path).line(self.number + 1), source }
    }

    /// Looks for a byte order mark, and switches to UTF-16 where it says so.
    fn start(&mut self) -> Result<()> {
        let head = fill_buf(&mut self.source)
            .map_err(|source| Error::Io { place: Place::file(&self.path).line(1), source })?;
        let Some((encoding, mark)) = Encoding::for_bom(head) else { return Ok(()) };
        if encoding == UTF_16LE || encoding == UTF_16BE {
            self.source.get_mut().transcode(encoding);
            // What lies in the buffer was read before the switch: it is transcoded again.
            let ahead = self.source.buffer().to_vec();
            self.source.consume(ahead.len());
            self.source.get_mut().put_back(ahead);
        } else {
            self.source.consume(mark);
        }
        Ok(())
    }

    fn fill(&mut self) -> Result<Filled> {
        self.bytes.clear();
        let mut any = false;
        let mut too_long = false;
        loop {
            let ahead = match fill_buf(&mut self.source) {
                Ok(ahead) => ahead,
                Err(source) => return Err(self.trouble(source)),
            };
            if ahead.is_empty() {
                break;
            }
            any = true;
            let end = ahead.iter().position(|&byte| byte == b'\n');
            let piece = &ahead[..end.unwrap_or(ahead.len())];
            if self.bytes.len() + piece.len() > self.longest {
                too_long = true;
                self.bytes = Vec::new();
            }
            if !too_long {
                self.bytes.extend_from_slice(piece);
            }
            let used = end.map_or(ahead.len(), |end| end + 1);
            self.source.consume(used);
            if end.is_some() {
                break;
            }
        }
        if !any {
            return Ok(Filled::End);
        }
        self.number += 1;
        if self.bytes.last() == Some(&b'\r') {
            self.bytes.pop();
        }
        Ok(if too_long { Filled::TooLong } else { Filled::Line })
    }
}

/// Lines as owned text, where a borrowed one is in the way.
impl<R: Read> Iterator for Lines<R> {
    type Item = Result<(u64, String)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_line()
            .map(|line| line.map(|line| (line.number, line.text.to_owned())))
            .transpose()
    }
}

enum Filled {
    Line,
    TooLong,
    End,
}

/// `fill_buf` that goes on after an interrupted system call.
fn fill_buf<R: Read>(source: &mut BufReader<R>) -> std::io::Result<&[u8]> {
    while let Err(error) = source.fill_buf() {
        if error.kind() != std::io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    Ok(source.buffer())
}

/// Bytes as they are, or turned from UTF-16 into UTF-8.
enum Source<R> {
    Plain(R),
    Utf16(Box<Utf16<R>>),
    /// Only while one turns into the other.
    Nothing,
}

impl<R> Source<R> {
    fn transcode(&mut self, encoding: &'static Encoding) {
        if let Self::Plain(source) = std::mem::replace(self, Self::Nothing) {
            *self = Self::Utf16(Box::new(Utf16 {
                source,
                decoder: encoding.new_decoder_with_bom_removal(),
                ahead: Vec::new(),
                ready: Vec::new(),
                given: 0,
                ended: false,
            }));
        }
    }

    fn put_back(&mut self, bytes: Vec<u8>) {
        if let Self::Utf16(utf16) = self {
            utf16.ahead = bytes;
        }
    }
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self {
            Self::Plain(source) => source.read(buffer),
            Self::Utf16(source) => source.read(buffer),
            Self::Nothing => Ok(0),
        }
    }
}

struct Utf16<R> {
    source: R,
    decoder: Decoder,
    ahead: Vec<u8>,
    ready: Vec<u8>,
    given: usize,
    ended: bool,
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        while self.given == self.ready.len() && !self.ended {
            let mut piece = std::mem::take(&mut self.ahead);
            if piece.is_empty() {
                piece.resize(BUFFER, 0);
                let read = self.source.read(&mut piece)?;
                piece.truncate(read);
                self.ended = read == 0;
            }
            // Three bytes of UTF-8 for two of UTF-16 is the worst case; a surrogate may be pending.
            self.ready.resize(piece.len() * 3 + 16, 0);
            let (_, _, written, _) =
                self.decoder.decode_to_utf8(&piece, &mut self.ready, self.ended);
            self.ready.truncate(written);
            self.given = 0;
        }
        let given = buffer.len().min(self.ready.len() - self.given);
        buffer[..given].copy_from_slice(&self.ready[self.given..self.given + given]);
        self.given += given;
        Ok(given)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn lines(bytes: &[u8]) -> (Vec<(u64, String)>, Vec<Finding>) {
        let mut lines = Lines::new("test.txt", bytes);
        let all = lines.by_ref().map(Result::unwrap).collect();
        (all, lines.take_findings())
    }

    #[test]
    fn ends_marks_and_numbers() {
        let (all, findings) = lines(b"\xef\xbb\xbfone\r\n\ntwo\rstill two\nlast");
        let want = [(1, "one"), (2, ""), (3, "two\rstill two"), (4, "last")];
        assert_eq!(all, want.map(|(number, text)| (number, text.to_owned())));
        assert!(findings.is_empty());
        assert!(lines(b"").0.is_empty());
        assert!(lines(b"\xef\xbb\xbf").0.is_empty());
        assert_eq!(lines(b"\n").0.len(), 1);
    }

    #[test]
    fn windows_1252_is_mended_line_by_line() {
        let (all, findings) = lines("good é\nbad X\nbad X\n".as_bytes());
        assert_eq!(all[0].1, "good é");
        assert!(findings.is_empty());
        let (all, findings) = lines(b"good \xc3\xa9\nbad \xe9\nbad \x93x\x94\n");
        assert_eq!(all[0].1, "good é");
        assert_eq!(all[1].1, "bad é");
        assert_eq!(all[2].1, "bad \u{201c}x\u{201d}");
        assert_eq!(findings.len(), 2);
        assert_eq!(findings[0].place, Place::file("test.txt").line(2));
        assert!(findings[1].what.starts_with("2 lines"));
    }

    #[test]
    fn utf_16_with_a_mark_is_understood() {
        let text = "caf\u{e9}\r\n\u{1f415} dog";
        for big in [false, true] {
            let mut bytes = if big { vec![0xfe, 0xff] } else { vec![0xff, 0xfe] };
            for unit in text.encode_utf16() {
                bytes.extend(if big { unit.to_be_bytes() } else { unit.to_le_bytes() });
            }
            let (all, _) = lines(&bytes);
            assert_eq!(all, [(1, "caf\u{e9}".to_owned()), (2, "\u{1f415} dog".to_owned())]);
        }
    }

    #[test]
    fn a_line_without_end_is_bounded() {
        let mut text = vec![b'x'; 300_000];
        text.extend(b"\nshort\n");
        let mut lines = Lines::new("long.txt", &text[..]).longest(100_000);
        assert_eq!(lines.next_line().unwrap(), Some(Line { number: 2, text: "short" }));
        assert_eq!(lines.next_line().unwrap(), None);
        let findings = lines.take_findings();
        assert_eq!(findings[0].place.line, Some(1));
        assert_eq!(findings[0].severity, Severity::Skipped);
    }

    #[test]
    fn packed_files_open_as_plain_ones_and_truncation_says_where() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.TXT.gz");
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(b"one\ntwo\n").unwrap();
        let packed = packer.finish().unwrap();
        std::fs::write(&path, &packed).unwrap();
        let all: Vec<_> = Lines::open(&path).unwrap().map(Result::unwrap).collect();
        assert_eq!(all, [(1, "one".to_owned()), (2, "two".to_owned())]);
        assert_eq!(plain_name(&path), "a.txt");
        assert_eq!(head(&path, 3), b"one");
        std::fs::write(&path, &packed[..packed.len() - 9]).unwrap();
        let error = Lines::open(&path).unwrap().find_map(Result::err).unwrap();
        assert!(error.to_string().contains("a.TXT.gz:"), "{error}");
    }

    #[test]
    fn findings_reach_the_sink() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        std::fs::write(&path, b"a\xe9\nb\n").unwrap();
        let mut collection = crate::Collection::new();
        let mut seen = 0;
        for_each_line(&path, &mut collection, |_, _| {
            seen += 1;
            Ok(())
        })
        .unwrap();
        assert_eq!((seen, collection.findings().len()), (2, 1));
    }
}
