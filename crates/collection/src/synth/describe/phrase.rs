//! Small pieces of English grammar.

use super::super::dice::Dice;

/// One or many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    One,
    Many,
}

impl Number {
    pub(super) fn of(count: u8) -> Self {
        if count > 1 { Self::Many } else { Self::One }
    }

    /// The form that agrees.
    pub(super) fn pick<'a>(self, one: &'a str, many: &'a str) -> &'a str {
        match self {
            Self::One => one,
            Self::Many => many,
        }
    }
}

/// With `a` or `an`, by the sound it begins with.
pub(super) fn indefinite(phrase: &str) -> String {
    let article = if phrase.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {phrase}")
}

/// A small number in words.
pub(super) fn cardinal(count: u8) -> &'static str {
    match count {
        0 => "no",
        1 => "one",
        2 => "two",
        3 => "three",
        4 => "four",
        _ => "many",
    }
}

pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// The same text with two neighbouring letters of one long word swapped.
pub(super) fn slip(text: &str, dice: &mut Dice) -> String {
    let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let long: Vec<usize> = (1..words.len())
        .filter(|&k| words[k].len() > 4 && words[k].bytes().all(|byte| byte.is_ascii_lowercase()))
        .collect();
    if long.is_empty() {
        return text.to_owned();
    }
    let word = &mut words[long[dice.below(long.len())]];
    let mut letters: Vec<char> = word.chars().collect();
    let at = 1 + dice.below(letters.len() - 2);
    letters.swap(at, at + 1);
    *word = letters.into_iter().collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::super::dice::Purpose;
    use super::*;

    #[test]
    fn articles_follow_the_sound() {
        assert_eq!(indefinite("orange cat"), "an orange cat");
        assert_eq!(indefinite("dog"), "a dog");
        assert_eq!(Number::of(3).pick("is", "are"), "are");
    }

    #[test]
    fn a_slip_keeps_the_letters() {
        let mut dice = Dice::new(3, 0, Purpose::Captions);
        let mut slipped: Vec<char> = slip("A horse running", &mut dice).chars().collect();
        let mut plain: Vec<char> = "A horse running".chars().collect();
        slipped.sort_unstable();
        plain.sort_unstable();
        assert_eq!(slipped, plain);
        assert_eq!(slip("A dog", &mut dice), "A dog");
    }
}
