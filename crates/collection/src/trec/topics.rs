//! Values by topic.

use rustc_hash::FxHashMap;

/// Values by the name of a topic.
#[derive(Debug, Clone)]
pub(super) struct Topics<T> {
    entries: Vec<(String, T)>,
    places: FxHashMap<String, usize>,
    /// The topic that was asked for last: most files hold a topic's lines together.
    last: usize,
}

impl<T> Default for Topics<T> {
    fn default() -> Self {
        Self { entries: Vec::new(), places: FxHashMap::default(), last: 0 }
    }
}

impl<T: Default> Topics<T> {
    /// The topic of this name, made if it is new.
    pub(super) fn entry(&mut self, name: &str) -> &mut T {
        let at = match self.entries.get(self.last) {
            Some((last, _)) if last == name => self.last,
            _ => match self.places.get(name) {
                Some(&at) => at,
                None => {
                    self.entries.push((name.to_owned(), T::default()));
                    self.places.insert(name.to_owned(), self.entries.len() - 1);
                    self.entries.len() - 1
                }
            },
        };
        self.last = at;
        &mut self.entries[at].1
    }

    /// The topic of this name.
    pub(super) fn get(&self, name: &str) -> Option<&T> {
        self.places.get(name).map(|&at| &self.entries[at].1)
    }

    /// All topics, in the byte order of their names.
    pub(super) fn iter(&self) -> std::vec::IntoIter<(&str, &T)> {
        let mut all: Vec<(&str, &T)> =
            self.entries.iter().map(|(name, value)| (name.as_str(), value)).collect();
        all.sort_by_key(|&(name, _)| name);
        all.into_iter()
    }

    /// All topics as they came, to change them.
    pub(super) fn entries_mut(&mut self) -> &mut [(String, T)] {
        &mut self.entries
    }

    /// Number of topics.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }
}
