//! The wire format of protocol buffers: as much of it as an ONNX file needs.
//!
//! A message is a run of fields; a field is a number, a kind and a value. Nothing is copied while
//! reading, and a length that goes beyond the end is an error before anything is taken.

/// The value of a field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Wire<'a> {
    Varint(u64),
    Fixed64([u8; 8]),
    Bytes(&'a [u8]),
    Fixed32([u8; 4]),
}

/// A field, and the bytes it was written in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field<'a> {
    pub number: u64,
    pub value: Wire<'a>,
    pub raw: &'a [u8],
}

impl<'a> Field<'a> {
    /// The bytes of a string, a message or a packed list; an error for anything else.
    pub fn bytes(&self) -> Result<&'a [u8], String> {
        match self.value {
            Wire::Bytes(bytes) => Ok(bytes),
            _ => Err(format!("field {} is not of the right kind", self.number)),
        }
    }

    pub fn text(&self) -> Result<&'a str, String> {
        std::str::from_utf8(self.bytes()?)
            .map_err(|_| format!("field {} is not UTF-8", self.number))
    }

    pub fn integer(&self) -> Result<u64, String> {
        match self.value {
            Wire::Varint(value) => Ok(value),
            _ => Err(format!("field {} is not of the right kind", self.number)),
        }
    }

    /// Adds the integers of a repeated field, packed or not, to `list`.
    pub fn integers(&self, list: &mut Vec<i64>) -> Result<(), String> {
        match self.value {
            Wire::Varint(value) => list.push(value.cast_signed()),
            Wire::Bytes(mut rest) => {
                while !rest.is_empty() {
                    list.push(varint(&mut rest)?.cast_signed());
                }
            }
            _ => return Err(format!("field {} is not of the right kind", self.number)),
        }
        Ok(())
    }
}

/// The fields of a message.
#[derive(Debug, Clone)]
pub(super) struct Fields<'a>(pub &'a [u8]);

impl<'a> Iterator for Fields<'a> {
    type Item = Result<Field<'a>, String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = read(&mut self.0);
        if field.is_err() {
            self.0 = &[];
        }
        Some(field)
    }
}

fn read<'a>(rest: &mut &'a [u8]) -> Result<Field<'a>, String> {
    let start = *rest;
    let key = varint(rest)?;
    let value = match key & 7 {
        0 => Wire::Varint(varint(rest)?),
        1 => Wire::Fixed64(fixed(rest)?),
        2 => {
            let length = usize::try_from(varint(rest)?).unwrap_or(usize::MAX);
            let (bytes, after) = rest.split_at_checked(length).ok_or_else(cut_off)?;
            *rest = after;
            Wire::Bytes(bytes)
        }
        5 => Wire::Fixed32(fixed(rest)?),
        kind => return Err(format!("a field of unknown kind {kind}; this is no ONNX file")),
    };
    Ok(Field { number: key >> 3, value, raw: &start[..start.len() - rest.len()] })
}

fn cut_off() -> String {
    "the file is cut off".into()
}

fn fixed<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], String> {
    let (bytes, after) = rest.split_first_chunk::<N>().ok_or_else(cut_off)?;
    *rest = after;
    Ok(*bytes)
}

fn varint(rest: &mut &[u8]) -> Result<u64, String> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let (&byte, after) = rest.split_first().ok_or_else(cut_off)?;
        *rest = after;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(value);
        }
    }
    Err("a number is too long; this is no ONNX file".into())
}

/// A message being written.
#[derive(Debug, Default)]
pub(super) struct Message(pub Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    pub fn integer(&mut self, number: u64, value: u64) -> &mut Self {
        self.varint(number << 3);
        self.varint(value);
        self
    }

    pub fn bytes(&mut self, number: u64, bytes: &[u8]) -> &mut Self {
        self.varint(number << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    /// A field as it was read.
    pub fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend_from_slice(bytes);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut message = Message::default();
        message.integer(1, 300).bytes(7, b"seven").integer(2, u64::MAX);
        let fields: Vec<Field> = Fields(&message.0).map(Result::unwrap).collect();
        let values: Vec<_> = fields.iter().map(|field| (field.number, field.value)).collect();
        assert_eq!(
            values,
            [(1, Wire::Varint(300)), (7, Wire::Bytes(b"seven")), (2, Wire::Varint(u64::MAX))]
        );
        assert_eq!(fields.iter().map(|field| field.raw).collect::<Vec<_>>().concat(), message.0);
    }

    #[test]
    fn a_torn_message_is_an_error_and_ends() {
        let mut message = Message::default();
        message.bytes(7, b"seven");
        for end in 1..message.0.len() {
            let fields: Vec<_> = Fields(&message.0[..end]).collect();
            assert!(matches!(&fields[..], [Err(_)]), "{end}");
        }
        // A length of nearly 2^64.
        let absurd = [0x3a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
        assert!(Fields(&absurd).next().unwrap().is_err());
    }
}
