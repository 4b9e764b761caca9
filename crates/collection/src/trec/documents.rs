//! The document ids of one topic, packed one after the other.

/// Where an id lies in its topic's text, with a hash to tell ids apart quickly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Id {
    start: u32,
    length: u32,
    hash: u32,
}

/// The ids of one topic.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Documents {
    text: String,
}

impl Documents {
    /// Adds an id; `None` if the topic's ids together exceed four gigabytes.
    pub(super) fn add(&mut self, name: &str) -> Option<Id> {
        let start = u32::try_from(self.text.len()).ok()?;
        let length = u32::try_from(name.len()).ok()?;
        start.checked_add(length)?;
        self.text.push_str(name);
        Some(Id { start, length, hash: hash(name) })
    }

    /// The id as text.
    pub(super) fn name(&self, id: Id) -> &str {
        let start = id.start as usize;
        self.text.get(start..start + id.length as usize).unwrap_or_default()
    }

    pub(super) fn shrink(&mut self) {
        self.text.shrink_to_fit();
    }
}

/// Finds ids by name: an open table of positions, at most half full.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Finder {
    /// Position plus one and hash; 0 is an empty place.
    places: Vec<(u32, u32)>,
}

impl Finder {
    /// How many places there are; at most half of them should be taken.
    pub(super) fn room(&self) -> usize {
        self.places.len()
    }

    /// Empties the table and gives it room for `count` ids.
    pub(super) fn clear(&mut self, count: usize) {
        self.places.clear();
        self.places.resize((2 * count).next_power_of_two().max(2), (0, 0));
    }

    /// Enters an id that stands at `position`, or gives the position of the one that is there.
    pub(super) fn enter(
        &mut self,
        id: Id,
        position: u32,
        is_same: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        let mask = self.places.len() - 1;
        let mut at = id.hash as usize & mask;
        loop {
            match self.places[at] {
                (0, _) => {
                    self.places[at] = (position + 1, id.hash);
                    return None;
                }
                (known, hash) if hash == id.hash && is_same(known - 1) => return Some(known - 1),
                _ => at = (at + 1) & mask,
            }
        }
    }

    /// The position of an id that has this hash and of which `is_same` says that it is the one.
    #[inline]
    pub(super) fn find(&self, hash: u32, is_same: impl Fn(u32) -> bool) -> Option<u32> {
        let mask = self.places.len().checked_sub(1)?;
        let mut at = hash as usize & mask;
        loop {
            match self.places[at] {
                (0, _) => return None,
                (known, other) if other == hash && is_same(known - 1) => return Some(known - 1),
                _ => at = (at + 1) & mask,
            }
        }
    }
}

impl Id {
    /// The hash of the id's name.
    #[inline]
    pub(super) fn hash(self) -> u32 {
        self.hash
    }
}

/// A quick hash of a name; equal names have equal hashes on every machine.
pub(super) fn hash(name: &str) -> u32 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut state = name.len() as u64;
    let mut chunks = name.as_bytes().chunks_exact(8);
    for chunk in &mut chunks {
        let mut word = [0; 8];
        word.copy_from_slice(chunk);
        state = (state.rotate_left(26) ^ u64::from_le_bytes(word)).wrapping_mul(FACTOR);
    }
    let mut word = [0; 8];
    let rest = chunks.remainder();
    word[..rest.len()].copy_from_slice(rest);
    state = (state.rotate_left(26) ^ u64::from_le_bytes(word)).wrapping_mul(FACTOR);
    (state ^ (state >> 29)).wrapping_mul(FACTOR).rotate_left(20) as u32
}
