//! Text kernels against their definitions, taken word for word, and by hand.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use rebus_text::kernel::{
    Captions, Described, Form, KERNELS, Lexical, Spec, TextKernel, Weighting, kernel_named,
};
use rebus_text::similarity::WordSimilarity;

type Words = Vec<String>;

fn words(caption: &str) -> Words {
    caption.split_whitespace().map(str::to_owned).collect()
}

fn item(captions: &[&str]) -> Described {
    Described::new(captions.iter().map(|caption| words(caption)).collect())
}

/// M_{s,w} of equation 12 for every sequence of up to three words, by enumeration.
fn matches(sentence: &[String]) -> BTreeMap<Words, BTreeSet<(usize, usize)>> {
    let mut found: BTreeMap<Words, BTreeSet<(usize, usize)>> = BTreeMap::new();
    let mut add = |places: &[usize]| {
        let sequence = places.iter().map(|&place| sentence[place].clone()).collect();
        found.entry(sequence).or_default().insert((places[0], places[places.len() - 1]));
    };
    for i in 0..sentence.len() {
        add(&[i]);
        for j in i + 1..sentence.len() {
            add(&[i, j]);
            (i + 1..j).for_each(|m| add(&[i, m, j]));
        }
    }
    found
}

/// lambda_w of section 3.1.
fn idf(training: &[Described], word: &str) -> f64 {
    let with = training.iter().filter(|item| item.words().any(|other| other == word)).count();
    (training.len() as f64 / (with as f64 + 1.0)).ln().max(0.0)
}

/// Equation 21, and with it 15, 16 and 20.
fn trigram(
    one: &[String],
    other: &[String],
    weight: &dyn Fn(&str) -> f64,
    similarity: &WordSimilarity,
) -> f64 {
    let mut sum = 0.0;
    let others = matches(other);
    for (sequence, places) in matches(one) {
        for (like, there) in others.iter().filter(|(like, _)| like.len() == sequence.len()) {
            let counts = (places.len() * there.len()) as f64;
            let matched = 0.5f64.powi(2 * sequence.len() as i32);
            let sigma: f64 = sequence
                .iter()
                .zip(like)
                .map(|(a, b)| weight(a) * weight(b) * f64::from(similarity.between(a, b)))
                .product();
            sum += counts * matched * sigma;
        }
    }
    sum
}

/// Summed over the cross product of captions, then normalised.
fn normalised(one: &Described, other: &Described, pair: &dyn Fn(&Words, &Words) -> f64) -> f64 {
    let sum = |one: &Described, other: &Described| -> f64 {
        let each = one.captions().iter();
        each.flat_map(|a| other.captions().iter().map(move |b| pair(a, b))).sum()
    };
    let own = (sum(one, one) * sum(other, other)).sqrt();
    if own > 0.0 { sum(one, other) / own } else { 0.0 }
}

fn assert_near(ours: f32, expected: f64, what: &str) {
    assert!((f64::from(ours) - expected).abs() < 2e-5, "{what}: {ours}, not {expected}");
}

/// Items of few different words, so that words repeat; some are empty.
fn items(most: usize) -> impl Strategy<Value = Vec<Described>> {
    let word = (0u8..6).prop_map(|k| format!("w{k}"));
    let caption = prop::collection::vec(word, 0..9);
    let item = prop::collection::vec(caption, 0..4).prop_map(Described::new);
    prop::collection::vec(item, 1..most)
}

fn similarity() -> impl Strategy<Value = WordSimilarity> {
    let pair = (0u8..7, 0u8..7, 0.01f32..1.0);
    prop::collection::vec(pair, 0..8).prop_map(|pairs| {
        let mut builder = WordSimilarity::builder();
        pairs.iter().for_each(|(a, b, how)| builder.add(&format!("w{a}"), &format!("w{b}"), *how));
        builder.build()
    })
}

fn spec(form: Form, weighting: Weighting, lexical: Option<Lexical>) -> Spec {
    Spec { form, captions: Captions::All, weighting, lexical }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_trigram_kernel_is_its_definition(
        training in items(7),
        others in items(5),
        similar in similarity(),
        weighting in prop::sample::select(vec![Weighting::Plain, Weighting::Idf, Weighting::SqrtIdf]),
        soft in any::<bool>(),
    ) {
        let table = soft.then_some(&similar);
        let spec = spec(Form::Trigram, weighting, table.map(|_| Lexical::Alignment));
        let Ok(kernel) = TextKernel::fit(&spec, &training, table) else {
            prop_assert!(training.iter().all(|item| item.words().next().is_none()));
            return Ok(());
        };
        let weight = |word: &str| match weighting {
            Weighting::Plain => 1.0,
            Weighting::Idf => idf(&training, word),
            Weighting::SqrtIdf => idf(&training, word).sqrt(),
        };
        let identity = WordSimilarity::default();
        let pair = |a: &Words, b: &Words| trigram(a, b, &weight, table.unwrap_or(&identity));
        let of = kernel.of(&training);
        let between = kernel.between(&others, &training);
        for (column, there) in training.iter().enumerate() {
            for (row, here) in training.iter().enumerate() {
                assert_near(of.row(row)[column], normalised(here, there, &pair), "of");
            }
            for (row, here) in others.iter().enumerate() {
                assert_near(between.row(row)[column], normalised(here, there, &pair), "between");
            }
        }
    }

    #[test]
    fn bags_are_their_definitions(training in items(9), others in items(5)) {
        for weighting in [Weighting::Plain, Weighting::Idf, Weighting::SqrtIdf] {
            let weight = |word: &str| match weighting {
                Weighting::Plain => 1.0,
                Weighting::Idf => idf(&training, word),
                Weighting::SqrtIdf => idf(&training, word).sqrt(),
            };
            let bag = |item: &Described| {
                let mut bag: BTreeMap<String, f64> = BTreeMap::new();
                item.words().for_each(|word| *bag.entry(word.to_owned()).or_default() += weight(word));
                bag
            };
            let fitted = |form| TextKernel::fit(&spec(form, weighting, None), &training, None);
            let (Ok(cosine), Ok(f1)) = (fitted(Form::Bag), fitted(Form::F1)) else { return Ok(()) };
            let (cosines, f1s) = (cosine.between(&others, &training), f1.between(&others, &training));
            for (row, here) in others.iter().enumerate() {
                for (column, there) in training.iter().enumerate() {
                    let (a, b) = (bag(here), bag(there));
                    let dot = |a: &BTreeMap<String, f64>, b: &BTreeMap<String, f64>| -> f64 {
                        a.iter().map(|(word, x)| x * b.get(word).unwrap_or(&0.0)).sum()
                    };
                    let length = (dot(&a, &a) * dot(&b, &b)).sqrt();
                    let expected = if length > 0.0 { dot(&a, &b) / length } else { 0.0 };
                    assert_near(cosines.row(row)[column], expected, "cosine");
                    let shared: f64 =
                        a.iter().map(|(word, x)| x.min(*b.get(word).unwrap_or(&0.0))).sum();
                    let (precision, recall) = (
                        shared / a.values().sum::<f64>(),
                        shared / b.values().sum::<f64>(),
                    );
                    let f1 = 2.0 * precision * recall / (precision + recall);
                    assert_near(f1s.row(row)[column], if f1.is_nan() { 0.0 } else { f1 }, "F1");
                }
            }
        }
    }

    #[test]
    fn tag_rank_is_its_definition(training in items(9), others in items(5)) {
        let spec = kernel_named("TAGRANK").unwrap().spec;
        let Ok(kernel) = TextKernel::fit(&spec, &training, None) else { return Ok(()) };
        let captions: Vec<&Words> =
            training.iter().flat_map(Described::captions).filter(|words| !words.is_empty()).collect();
        // The relative and the absolute rank of each word of a caption (equations 9 and 10).
        let ranks = |caption: &Words| -> BTreeMap<String, [f64; 2]> {
            let places = |word: &String, caption: &Words| -> Vec<usize> {
                (1..=caption.len()).filter(|&place| caption[place - 1] == *word).collect()
            };
            let rank = |word: &String| {
                let here = places(word, caption);
                let p = here.iter().sum::<usize>() as f64 / here.len() as f64;
                let all: Vec<usize> = captions.iter().flat_map(|c| places(word, c)).collect();
                let upto = all.iter().filter(|&&place| place as f64 <= p).count();
                let r = if all.is_empty() { 0.0 } else { 1.0 - upto as f64 / all.len() as f64 };
                (word.clone(), [r, 1.0 / (1.0 + p).log2()])
            };
            caption.iter().map(rank).collect()
        };
        let chi = |a: &Words, b: &Words, side: usize| -> f64 {
            let (a, b) = (ranks(a), ranks(b));
            let both: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            let of = |ranks: &BTreeMap<String, [f64; 2]>, word: &String| {
                ranks.get(word).map_or(0.0, |rank| rank[side])
            };
            both.into_iter()
                .map(|word| (of(&a, word), of(&b, word)))
                .map(|(u, v)| if u + v > 0.0 { (u - v).powi(2) / (u + v) } else { 0.0 })
                .sum()
        };
        let omega = [0, 1].map(|side| {
            let mut sum = 0.0;
            for (i, a) in captions.iter().enumerate() {
                sum += (0..captions.len()).filter(|&j| j != i).map(|j| chi(a, captions[j], side)).sum::<f64>();
            }
            let mean = sum / (captions.len() * captions.len().saturating_sub(1)) as f64;
            if mean > 1e-9 { mean } else { 1.0 }
        });
        let pair = |a: &Words, b: &Words| {
            if a.is_empty() || b.is_empty() {
                return 0.0;
            }
            [0, 1].map(|side| (-chi(a, b, side) / (2.0 * omega[side])).exp()).iter().sum::<f64>() / 2.0
        };
        let ours = kernel.between(&others, &training);
        for (row, here) in others.iter().enumerate() {
            for (column, there) in training.iter().enumerate() {
                assert_near(ours.row(row)[column], normalised(here, there, &pair), "TAGRANK");
            }
        }
        let of = kernel.of(&training);
        let between = kernel.between(&training, &training);
        for (a, b) in of.values().iter().zip(between.values()) {
            assert!((a - b).abs() < 1e-6);
        }
    }
}

#[test]
fn trigram_by_hand() {
    // One word 2 times, its square 1/4 each; "a b", "b a" and "a a" are pairs, "a b a" is a triple.
    let training = [item(&["a b a"]), item(&["b a"]), item(&["c"])];
    let kernel = TextKernel::fit(&kernel_named("TRI5").unwrap().spec, &training, None).unwrap();
    let gram = kernel.of(&training);
    // With itself: words 4 + 1, pairs ab, ba, aa once each, one triple.
    let own: f64 = 5.0 / 4.0 + 3.0 / 16.0 + 1.0 / 64.0;
    let other: f64 = 2.0 / 4.0 + 1.0 / 16.0;
    // Between them: a twice, b once, and the pair ba.
    let shared: f64 = 3.0 / 4.0 + 1.0 / 16.0;
    assert_near(gram.row(0)[1], shared / (own * other).sqrt(), "by hand");
    assert_near(gram.row(0)[0], 1.0, "itself");
    assert_eq!(gram.row(0)[2], 0.0);
}

#[test]
fn a_word_that_stands_twice_within_a_match_counts_once() {
    // a .. c is one substring that contains "a b c", however many b there are.
    let training = [item(&["a b b c"]), item(&["a b c"])];
    let kernel = TextKernel::fit(&kernel_named("TRI5").unwrap().spec, &training, None).unwrap();
    let weight = |_: &str| 1.0;
    let pair = |a: &Words, b: &Words| trigram(a, b, &weight, &WordSimilarity::default());
    assert_eq!(pair(&words("a b b c"), &words("a b c")), 4.0 / 4.0 + 5.0 / 16.0 + 1.0 / 64.0);
    let expected = normalised(&training[0], &training[1], &pair);
    assert_near(kernel.of(&training).row(0)[1], expected, "twice");
}

#[test]
fn long_captions_are_exact_too() {
    let long: Vec<String> = (0..70).map(|k| format!("w{}", k * k % 23)).collect();
    let training = [Described::new(vec![long.clone(), words("w1 w2")]), item(&["w4 w1 w9 w2 w1"])];
    let kernel = TextKernel::fit(&kernel_named("TRI5").unwrap().spec, &training, None).unwrap();
    let pair = |a: &Words, b: &Words| trigram(a, b, &|_| 1.0, &WordSimilarity::default());
    let expected = normalised(&training[0], &training[1], &pair);
    for (row, column) in [(0, 1), (1, 0)] {
        assert_near(kernel.of(&training).row(row)[column], expected, "of");
        assert_near(kernel.between(&training, &training).row(row)[column], expected, "between");
    }
}

#[test]
fn every_kernel_is_normalised_symmetric_and_says_what_it_cannot_rank() {
    let training = [
        item(&["dog run", "brown dog run grass", "dog"]),
        item(&["cat sleep", "sleep cat sofa", ""]),
        item(&[]),
        item(&["boat sea", "sea wave boat", "sea"]),
        item(&["", "dog sea"]),
    ];
    let similar =
        WordSimilarity::builder().pair("dog", "cat", 0.3).pair("hound", "dog", 0.9).build();
    let queries = [item(&["dog"]), item(&["hound"]), item(&["zeppelin"]), item(&[""]), item(&[])];
    for kernel in KERNELS {
        let table = kernel.spec.lexical.map(|_| &similar);
        let fitted = TextKernel::fit(&kernel.spec, &training, table).unwrap();
        assert_eq!(fitted.spec(), &kernel.spec);
        let gram = fitted.of(&training);
        for row in [0, 1, 3] {
            assert_near(gram.row(row)[row], 1.0, kernel.name);
            for column in 0..5 {
                assert_eq!(gram.row(row)[column], gram.row(column)[row], "{}", kernel.name);
                assert!((0.0..1.00001).contains(&gram.row(row)[column]), "{}", kernel.name);
            }
        }
        // An item without captions is like nothing.
        assert!(gram.row(2).iter().all(|&value| value == 0.0), "{}", kernel.name);
        let cannot = fitted.unrankable(&queries);
        let expected: &[usize] = if table.is_some() { &[2, 3, 4] } else { &[1, 2, 3, 4] };
        assert_eq!(cannot, expected, "{}", kernel.name);
        assert_eq!(fitted.between(&[], &training).columns(), 5);
        assert_eq!(fitted.between(&queries, &[]).rows(), 5);
        // The first of five captions is empty, so kernels of one caption see nothing.
        let first = kernel.spec.captions == Captions::First;
        assert_eq!(fitted.unrankable(&training).contains(&4), first, "{}", kernel.name);
        // Nothing to learn from.
        assert!(TextKernel::fit(&kernel.spec, &[item(&[""])], table).is_err());
        assert!(TextKernel::fit(&kernel.spec, &[], table).is_err());
        let wrong = if table.is_some() { None } else { Some(&similar) };
        assert!(TextKernel::fit(&kernel.spec, &training, wrong).is_err());
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let training: Vec<Described> = (0..60)
        .map(|k| {
            Described::new(vec![(0..7).map(|w| format!("w{}", (k * w + w) % 17)).collect(); 3])
        })
        .collect();
    let similar = WordSimilarity::builder().pair("w1", "w2", 0.5).pair("w3", "w7", 0.7).build();
    for name in ["TRI5SEM", "TAGRANK", "BoW5-idf", "F1"] {
        let spec = kernel_named(name).unwrap().spec;
        let kernel = TextKernel::fit(&spec, &training, spec.lexical.map(|_| &similar)).unwrap();
        let once = kernel.of(&training);
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(|| kernel.of(&training)), once, "{name}");
        }
    }
}
