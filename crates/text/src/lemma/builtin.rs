//! A small table of irregular forms, and rules for the regular ones.
//!
//! Made for the words of captions. A rule answers where the table does not; it knows no dictionary,
//! so that it can err on rare words.

use super::PartOfSpeech;

/// Irregular plurals.
const NOUNS: &[(&str, &str)] = &[
    ("calves", "calf"),
    ("children", "child"),
    ("dice", "die"),
    ("elves", "elf"),
    ("feet", "foot"),
    ("firemen", "fireman"),
    ("geese", "goose"),
    ("halves", "half"),
    ("hooves", "hoof"),
    ("knives", "knife"),
    ("leaves", "leaf"),
    ("lice", "louse"),
    ("lives", "life"),
    ("loaves", "loaf"),
    ("men", "man"),
    ("mice", "mouse"),
    ("oxen", "ox"),
    ("people", "people"),
    ("scarves", "scarf"),
    ("selves", "self"),
    ("shelves", "shelf"),
    ("teeth", "tooth"),
    ("thieves", "thief"),
    ("wives", "wife"),
    ("wolves", "wolf"),
    ("women", "woman"),
    ("quizzes", "quiz"),
];

/// Irregular forms of verbs.
#[rustfmt::skip]
const VERBS: &[(&str, &str)] = &[
    ("am", "be"), ("are", "be"), ("ate", "eat"), ("beaten", "beat"), ("became", "become"), ("been", "be"),
    ("began", "begin"), ("begun", "begin"), ("being", "be"), ("bent", "bend"), ("bit", "bite"), ("bitten", "bite"),
    ("bled", "bleed"), ("blew", "blow"), ("blown", "blow"), ("bore", "bear"), ("bought", "buy"), ("bound", "bind"),
    ("bred", "breed"), ("broke", "break"), ("broken", "break"), ("brought", "bring"), ("built", "build"), ("burnt", "burn"),
    ("came", "come"), ("caught", "catch"), ("chose", "choose"), ("chosen", "choose"), ("clung", "cling"), ("crept", "creep"),
    ("dealt", "deal"), ("did", "do"), ("does", "do"), ("done", "do"), ("dove", "dive"), ("drank", "drink"),
    ("drawn", "draw"), ("drew", "draw"), ("driven", "drive"), ("drove", "drive"), ("drunk", "drink"), ("dug", "dig"),
    ("dying", "die"), ("eaten", "eat"), ("fallen", "fall"), ("fed", "feed"), ("fell", "fall"), ("felt", "feel"),
    ("flew", "fly"), ("flown", "fly"), ("flung", "fling"), ("forgot", "forget"), ("fought", "fight"), ("found", "find"),
    ("froze", "freeze"), ("frozen", "freeze"), ("gave", "give"), ("given", "give"), ("goes", "go"), ("gone", "go"),
    ("got", "get"), ("gotten", "get"), ("grew", "grow"), ("grown", "grow"), ("had", "have"), ("has", "have"),
    ("heard", "hear"), ("held", "hold"), ("hid", "hide"), ("hidden", "hide"), ("hung", "hang"), ("is", "be"),
    ("kept", "keep"), ("knelt", "kneel"), ("knew", "know"), ("known", "know"), ("laid", "lay"), ("lain", "lie"),
    ("leant", "lean"), ("leapt", "leap"), ("learnt", "learn"), ("led", "lead"), ("left", "leave"), ("lent", "lend"),
    ("lit", "light"), ("lost", "lose"), ("lying", "lie"), ("made", "make"), ("meant", "mean"), ("met", "meet"),
    ("paid", "pay"), ("ran", "run"), ("rang", "ring"), ("ridden", "ride"), ("risen", "rise"), ("rode", "ride"),
    ("rose", "rise"), ("said", "say"), ("sang", "sing"), ("sank", "sink"), ("sat", "sit"), ("saw", "see"),
    ("seen", "see"), ("sent", "send"), ("sewn", "sew"), ("shaken", "shake"), ("shone", "shine"), ("shook", "shake"),
    ("shot", "shoot"), ("shown", "show"), ("shrunk", "shrink"), ("slept", "sleep"), ("slid", "slide"), ("sold", "sell"),
    ("spent", "spend"), ("spoke", "speak"), ("spoken", "speak"), ("sprang", "spring"), ("sprung", "spring"), ("spun", "spin"),
    ("stood", "stand"), ("stole", "steal"), ("stolen", "steal"), ("struck", "strike"), ("strung", "string"), ("stuck", "stick"),
    ("stung", "sting"), ("sung", "sing"), ("swam", "swim"), ("swept", "sweep"), ("swum", "swim"), ("swung", "swing"),
    ("taken", "take"), ("taught", "teach"), ("thought", "think"), ("threw", "throw"), ("thrown", "throw"), ("told", "tell"),
    ("took", "take"), ("tore", "tear"), ("torn", "tear"), ("tying", "tie"), ("understood", "understand"), ("was", "be"),
    ("went", "go"), ("were", "be"), ("woke", "wake"), ("woken", "wake"), ("won", "win"), ("wore", "wear"),
    ("worn", "wear"), ("wound", "wind"), ("woven", "weave"), ("wrote", "write"), ("written", "write"),
];

/// Irregular comparison.
const ADJECTIVES: &[(&str, &str)] = &[
    ("best", "good"),
    ("better", "good"),
    ("farther", "far"),
    ("farthest", "far"),
    ("further", "far"),
    ("furthest", "far"),
    ("least", "little"),
    ("worse", "bad"),
    ("worst", "bad"),
];

/// Adjectives whose comparison is regular; others do not lose `er` and `est`.
#[rustfmt::skip]
const COMPARED: &[&str] = &[
    "big", "black", "bright", "busy", "calm", "cheap", "clean", "clear", "close", "cold", "cool",
    "dark", "deep", "dirty", "dry", "early", "easy", "fast", "fat", "fine", "flat", "full", "funny",
    "fuzzy", "great", "green", "happy", "hard", "heavy", "high", "hot", "large", "late", "light",
    "long", "loud", "low", "narrow", "near", "new", "nice", "old", "pretty", "quick", "rich", "sad",
    "safe", "shallow", "sharp", "shiny", "short", "silly", "slow", "small", "smooth", "soft",
    "steep", "strong", "sunny", "tall", "thick", "thin", "tiny", "tough", "ugly", "warm", "weak",
    "wet", "white", "wide", "wild", "young",
];

/// Words that end like an inflected form and are none, or are lemmas of their own.
#[rustfmt::skip]
const KEPT: &[&str] = &[
    "across", "bias", "heed", "moped", "afterwards", "always", "athletics", "atlas", "awning", "backwards", "bed", "bedding", "besides",
    "binoculars", "bleed", "breed", "building", "bus", "canvas", "ceiling", "christmas", "clothes", "clothing", "creed",
    "darling", "deed", "downstairs", "duckling", "during", "earring", "embed", "evening", "everything", "anything",
    "exceed", "feed", "forwards", "gas", "glasses", "goggles", "greed", "gymnastics", "hundred", "indeed", "indoors",
    "jeans", "king", "leggings", "lens", "linens", "mathematics", "morning", "naked", "need", "news", "nothing",
    "outdoors", "overalls", "pajamas", "pants", "perhaps", "physics", "ping", "plus", "politics", "proceed", "pudding",
    "pyjamas", "railing", "red", "reed", "ring", "sacred", "scissors", "seed", "series", "shed", "shorts", "shred",
    "sibling", "sideways", "sled", "something", "species", "speed", "spring", "sterling", "sting", "string", "succeed",
    "sunglasses", "swing", "texas", "thing", "tights", "towards", "trousers", "tweed", "upstairs", "upwards", "viking",
    "wedding", "weed", "whereas", "wicked", "wing", "yes",
];

/// Verbs of more than one syllable, and others no rule sees, that end in e.
#[rustfmt::skip]
const FINAL_E: &[&str] = &[
    "ache", "acquire", "costume", "devote", "lounge", "landscape", "quote", "reside", "rollerblade", "schedule", "silhouette", "snowmobile", "sunbathe", "videotape", "admire", "adore", "amuse", "approve", "arrange", "arrive", "assume", "bathe", "become", "believe",
    "breathe", "cache", "challenge", "change", "collide", "combine", "compare", "compete", "complete", "concentrate",
    "consume", "cringe", "declare", "decide", "define", "deflate", "describe", "desire", "determine", "divide", "donate",
    "erase", "escape", "examine", "exchange", "excite", "exhale", "explode", "explore", "gamble", "guide", "ignite",
    "ignore", "imagine", "include", "inflate", "inhale", "inspire", "invade", "invite", "locate", "lunge", "outline",
    "overcome", "owe", "parade", "plunge", "postpone", "prepare", "promote", "propose", "provide", "provoke", "recede", "range",
    "recite", "refine", "relate", "require", "resemble", "reside", "restore", "retire", "rotate", "shuffle", "soothe",
    "sponge", "taste", "telephone", "translate", "unite", "vacate", "waste", "paste", "baste", "haste", "welcome",
    "achieve", "agree", "axe", "dye", "eye", "tie", "lie", "die", "glare", "hate", "create",
];

/// Verbs that keep a double consonant.
const DOUBLED: &[&str] = &["add", "egg", "err", "odd", "purr", "whirr"];

/// Verbs whose final l is doubled before an ending.
#[rustfmt::skip]
const SINGLE_L: &[&str] = &[
    "cancel", "channel", "compel", "control", "equal", "expel", "fuel", "label", "level", "marvel", "model", "paddle",
    "panel", "patrol", "pedal", "propel", "quarrel", "rappel", "shovel", "signal", "snorkel", "swivel", "travel", "tunnel",
];

/// Words in -ie, whose plural looks like that of a word in -y.
#[rustfmt::skip]
const FINAL_IE: &[&str] = &[
    "birdie", "bookie", "brownie", "calorie", "collie", "cookie", "die", "doggie", "foodie", "goalie", "hippie", "hoodie",
    "lie", "movie", "pie", "pixie", "rookie", "selfie", "smoothie", "tie", "veggie", "zombie",
];

/// Words in -us, -as and -is with a plural in -es.
#[rustfmt::skip]
const FINAL_S: &[&str] = &[
    "bus", "cactus", "campus", "canvas", "circus", "focus", "gas", "lens", "octopus", "virus", "walrus", "iris", "bonus",
    "minibus", "atlas", "plus", "chorus",
];

/// Words in -che, whose plural is no plural in -es.
const FINAL_CHE: &[&str] =
    &["ache", "avalanche", "cache", "headache", "moustache", "mustache", "niche", "quiche"];

/// Words in -o with a plural in -es.
const FINAL_O: &[&str] = &[
    "cargo", "domino", "echo", "go", "hero", "mango", "mosquito", "potato", "tomato", "tornado",
    "torpedo", "veto", "volcano",
];

fn irregular(table: &[(&str, &str)], word: &str) -> Option<String> {
    table.iter().find(|(form, _)| *form == word).map(|(_, base)| (*base).to_owned())
}

fn vowel(c: Option<char>) -> bool {
    matches!(c, Some('a' | 'e' | 'i' | 'o' | 'u' | 'y'))
}

fn plain(word: &str) -> bool {
    word.len() > 3 && word.bytes().all(|b| b.is_ascii_lowercase()) && !KEPT.contains(&word)
}

/// The lemma of a word of a known kind.
pub(super) fn lemma(word: &str, kind: PartOfSpeech) -> String {
    let found = match kind {
        PartOfSpeech::Noun => {
            irregular(NOUNS, word).or_else(|| without_s(word)).or_else(|| without_men(word))
        }
        PartOfSpeech::Verb => {
            irregular(VERBS, word).or_else(|| without_ing_or_ed(word)).or_else(|| without_s(word))
        }
        PartOfSpeech::Adjective | PartOfSpeech::Adverb => {
            irregular(ADJECTIVES, word).or_else(|| without_comparison(word))
        }
    };
    found.unwrap_or_else(|| compound(word, kind).unwrap_or_else(|| word.to_owned()))
}

/// Of a hyphenated word the last part is inflected: `t-shirts`.
fn compound(word: &str, kind: PartOfSpeech) -> Option<String> {
    let (head, tail) = word.rsplit_once('-')?;
    Some(format!("{head}-{}", lemma(tail, kind)))
}

/// The lemma of a word of an unknown kind: verbs by their endings, everything else as nouns.
pub(super) fn lemma_of(word: &str) -> String {
    // In captions these are rather a side, a flower, and plurals than verbs.
    if matches!(word, "left" | "leaves" | "rose" | "lives" | "people") {
        return irregular(NOUNS, word).unwrap_or_else(|| word.to_owned());
    }
    irregular(VERBS, word)
        .or_else(|| irregular(NOUNS, word))
        .or_else(|| irregular(ADJECTIVES, word))
        .or_else(|| without_comparison(word))
        .or_else(|| without_ing_or_ed(word))
        .unwrap_or_else(|| lemma(word, PartOfSpeech::Noun))
}

/// A plural or third person without its ending.
fn without_s(word: &str) -> Option<String> {
    if !plain(word) || !word.ends_with('s') {
        return None;
    }
    let stem = word.strip_suffix('s')?;
    if stem.ends_with(['s', 'u', 'i']) && !stem.ends_with("ski") {
        return None;
    }
    if let Some(base) = stem.strip_suffix("ie") {
        return Some(if FINAL_IE.contains(&stem) { stem.to_owned() } else { format!("{base}y") });
    }
    if let Some(base) = stem.strip_suffix('e') {
        let hissed = base.ends_with("ss")
            || base.ends_with("sh")
            || base.ends_with('x')
            || base.ends_with("zz")
            || base.ends_with("tz")
            || (base.ends_with("ch") && !FINAL_CHE.contains(&stem))
            || FINAL_S.contains(&base)
            || FINAL_O.contains(&base);
        if hissed {
            return Some(base.to_owned());
        }
    }
    Some(stem.to_owned())
}

/// `policemen`: words made with *men*.
fn without_men(word: &str) -> Option<String> {
    let known = ["abdomen", "omen", "ramen", "regimen", "specimen"].contains(&word);
    word.strip_suffix("men").filter(|_| plain(word) && !known).map(|head| format!("{head}man"))
}

/// Whether a word stays as it is though it ends like an inflected form.
pub(super) fn is_kept(word: &str) -> bool {
    KEPT.contains(&word)
}

/// A participle or past without its ending.
fn without_ing_or_ed(word: &str) -> Option<String> {
    if !plain(word) {
        return None;
    }
    if let Some(base) = word.strip_suffix("ied") {
        let ie = format!("{base}ie");
        return Some(if FINAL_IE.contains(&ie.as_str()) { ie } else { format!("{base}y") });
    }
    if word.ends_with("eed") {
        return word.strip_suffix('d').map(str::to_owned);
    }
    let stem = word.strip_suffix("ing").or_else(|| word.strip_suffix("ed"))?;
    if !stem.chars().any(|c| vowel(Some(c))) || stem.len() < 2 {
        return None;
    }
    Some(base_of(stem))
}

/// The verb whose stem before an ending is `stem`.
fn base_of(stem: &str) -> String {
    let with_e = format!("{stem}e");
    if FINAL_E.contains(&with_e.as_str()) {
        return with_e;
    }
    let mut back = stem.chars().rev();
    let (last, before, third) = (back.next(), back.next(), back.next());
    let half: String = stem.chars().take(stem.chars().count() - 1).collect();
    if last == before && !vowel(last) {
        let single = match last {
            Some('l') => SINGLE_L.contains(&half.as_str()),
            Some('s' | 'z' | 'f') => false,
            _ => !DOUBLED.contains(&stem),
        };
        return if single { half } else { stem.to_owned() };
    }
    if ["frolick", "mimick", "panick", "picnick", "traffick"].contains(&stem) {
        return half;
    }
    let syllables = stem
        .chars()
        .zip(stem.chars().skip(1).map(Some).chain([None]))
        .filter(|&(c, next)| vowel(Some(c)) && !vowel(next))
        .count();
    // consonant, vowel, consonant: without an e the last would have been doubled.
    let short = !vowel(last) && vowel(before) && !vowel(third);
    let short = short && !matches!(last, Some('w' | 'x'));
    let many = syllables > 1;
    let takes_e = match (before, last) {
        (Some('u' | 'a'), Some('s')) if many => !["focus", "bias", "canvas"].contains(&stem),
        (_, Some('v' | 'u' | 'c' | 'z' | 's')) => true,
        (before, Some('l')) if !vowel(before) => !matches!(before, Some('r' | 'l' | 'w')),
        (Some('r' | 'd' | 'l'), Some('g')) => true,
        (Some('a'), Some('t')) if many => {
            matches!(third, Some('i' | 'u')) || (short && !["combat", "format"].contains(&stem))
        }
        (Some('u'), Some('r')) if many => matches!(third, Some('s' | 't' | 'g' | 'j' | 'c')),
        (Some('i'), Some('n')) if many => third == Some('l'),
        (Some('i'), Some('b')) if many => third == Some('r'),
        (Some('a' | 'e'), Some('g'))
        | (Some('u'), Some('t' | 'd' | 'm'))
        | (Some('a'), Some('d'))
            if many =>
        {
            short || third == Some('i')
        }
        (Some('i'), Some('r')) if many => short,
        _ => !many && short,
    };
    if takes_e { with_e } else { stem.to_owned() }
}

/// A compared adjective without its ending.
fn without_comparison(word: &str) -> Option<String> {
    let stem = word.strip_suffix("est").or_else(|| word.strip_suffix("er"))?;
    let mut letters = stem.chars().rev();
    let doubled = letters.next() == letters.next();
    let half = stem.get(..stem.len().saturating_sub(1)).unwrap_or("");
    let candidates = [
        Some(stem.to_owned()),
        Some(format!("{stem}e")),
        doubled.then(|| half.to_owned()),
        stem.ends_with('i').then(|| format!("{half}y")),
    ];
    candidates.into_iter().flatten().find(|base| COMPARED.binary_search(&base.as_str()).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_searched_is_sorted() {
        assert!(COMPARED.is_sorted());
    }

    #[test]
    fn nouns() {
        for (form, base) in [
            ("dogs", "dog"),
            ("children", "child"),
            ("beaches", "beach"),
            ("boxes", "box"),
            ("buses", "bus"),
            ("horses", "horse"),
            ("puppies", "puppy"),
            ("movies", "movie"),
            ("potatoes", "potato"),
            ("shoes", "shoe"),
            ("waves", "wave"),
            ("wolves", "wolf"),
            ("t-shirts", "t-shirt"),
            ("grass", "grass"),
            ("glasses", "glasses"),
            ("tennis", "tennis"),
            ("moustaches", "moustache"),
        ] {
            assert_eq!(lemma(form, PartOfSpeech::Noun), base);
        }
    }

    #[test]
    fn verbs() {
        for (form, base) in [
            ("running", "run"),
            ("riding", "ride"),
            ("sat", "sit"),
            ("jumped", "jump"),
            ("carries", "carry"),
            ("carried", "carry"),
            ("skateboarding", "skateboard"),
            ("dancing", "dance"),
            ("wearing", "wear"),
            ("falling", "fall"),
            ("travelling", "travel"),
            ("paddling", "paddle"),
            ("lying", "lie"),
            ("hanging", "hang"),
            ("lunging", "lunge"),
            ("opening", "open"),
            ("celebrating", "celebrate"),
            ("skiing", "ski"),
            ("playing", "play"),
            ("watches", "watch"),
            ("chasing", "chase"),
            ("adding", "add"),
            ("smiled", "smile"),
            ("kissing", "kiss"),
            ("giving", "give"),
            ("staring", "stare"),
            ("snowing", "snow"),
        ] {
            assert_eq!(lemma(form, PartOfSpeech::Verb), base);
        }
    }

    #[test]
    fn kinds_are_guessed() {
        for (form, base) in [
            ("bigger", "big"),
            ("happiest", "happy"),
            ("larger", "large"),
            ("water", "water"),
            ("forest", "forest"),
            ("building", "building"),
            ("left", "left"),
            ("men", "man"),
            ("standing", "stand"),
            ("red", "red"),
            ("is", "be"),
            ("best", "good"),
            ("", ""),
            ("s", "s"),
            ("café", "café"),
            ("3rd", "3rd"),
        ] {
            assert_eq!(lemma_of(form), base);
        }
    }
}
