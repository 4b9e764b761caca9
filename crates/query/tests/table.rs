//! Queries and what they ask for; mistakes, and where they are shown.
//!
//! What a query asks for is written here as `sentence ~ left out, = like, ≠ unlike, { filter }`, with
//! ` / ` between the parts of a sentence, weights as `2*`, and ` || ` between readings.

use std::fmt::Write;

use rebus_query::{Example, Filter, Query, Reading, Words};

const QUERIES: &[(&str, &str)] = &[
    // The sentence.
    ("", ""),
    ("   \t\n ", ""),
    ("dog", "dog"),
    ("two dogs in the snow", "two dogs in the snow"),
    ("  two   dogs  ", "two dogs"),
    ("Two Dogs", "Two Dogs"),
    ("well-known t-shirt", "well-known t-shirt"),
    ("a man's dogs' don’t ‘til", "a man's dogs' don't 'til"),
    ("rock'n'roll", "rock'n'roll"),
    ("café naïve 犬と猫 собака 🐕", "café naïve 犬と猫 собака 🐕"),
    ("犬　雪", "犬 雪"),
    ("beach - sunset", "beach - sunset"),
    ("beach – sunset — night", "beach – sunset — night"),
    ("salt & pepper, 50% off!", "salt & pepper, 50% off!"),
    ("C++ c# f/2.8 1/200s", "C++ c# f/2.8 1/200s"),
    ("what? where...", "what? where..."),
    ("user@example.com #sunset", "user@example.com #sunset"),
    ("a*b [c] {d} <e> x=y", "a*b [c] {d} <e> x=y"),
    ("\u{feff}dog\u{200b}cat", "dog cat"),
    ("dog\0cat", "dog cat"),
    // Numbers and years are words.
    ("2019", "2019"),
    ("summer 2019 in Rome", "summer 2019 in Rome"),
    ("2019-2021", "2019-2021"),
    ("2019-05-06", "2019-05-06"),
    ("3.5 1,000 007", "3.5 1,000 007"),
    ("wait.. 2019... ... ..", "wait.. 2019... ... …"),
    ("1..5 a..b", "1..5 a..b"),
    // Colons that make no field.
    ("12:30", "12:30"),
    ("at 12:30pm 16:9 4:3", "at 12:30pm 16:9 4:3"),
    ("http://example.com/a?b=c", "http://example.com/a?b=c"),
    ("https://x file:///a", "https://x file:///a"),
    ("note: a dog", "note: a dog"),
    ("Vienna: the ring", "Vienna: the ring"),
    ("std::vec zoom:in", "std::vec zoom:in"),
    ("a:b x:y locaton:x", "a:b x:y locaton:x"),
    ("2:3:dog", "2:3:dog"),
    ("1: dog 2: cat", "1: dog 2: cat"),
    ("时间：早上", "时间：早上"),
    // Weights.
    ("2:dog", "2*dog"),
    ("2:dog on the beach", "2*dog / on the beach"),
    ("red 2:car on a street", "red / 2*car / on a street"),
    ("0.5:(red car)", "0.5*red car"),
    (".5:dog 1.50:cat", "0.5*dog / 1.5*cat"),
    ("1:dog", "dog"),
    ("a 1:dog b", "a dog b"),
    ("2:red 2:car", "2*red car"),
    ("2:(a 3:b)", "2*a / 6*b"),
    ("2:t-shirt", "2*t-shirt"),
    ("2:(3 dogs)", "2*3 dogs"),
    ("2:犬", "2*犬"),
    ("2:http://x", "2*http://x"),
    ("2:(dog camera:nikon)", "2*dog { camera:nikon }"),
    // What must be written.
    ("\"golden gate\"", "{ \"golden gate\" }"),
    ("“golden gate”", "{ \"golden gate\" }"),
    ("„golden gate“", "{ \"golden gate\" }"),
    ("« golden gate »", "{ \"golden gate\" }"),
    ("“golden gate\"", "{ \"golden gate\" }"),
    ("\"golden   gate \"", "{ \"golden gate\" }"),
    ("fog \"golden gate\" at night", "fog at night { \"golden gate\" }"),
    ("\"a\" \"b\"", "{ \"a\" & \"b\" }"),
    ("\"say \"\"cheese\"\"\"", "{ \"say \"\"cheese\"\"\" }"),
    ("\"a OR b -c (d\"", "{ \"a OR b -c (d\" }"),
    ("\"camra:nikon\"", "{ \"camra:nikon\" }"),
    ("bridge\"golden gate\"night", "bridge night { \"golden gate\" }"),
    // What is left out.
    ("-indoor", "~ indoor { !(indoor) }"),
    ("dogs -indoor", "dogs ~ indoor { !(indoor) }"),
    ("dogs –indoor −cat ‐mouse", "dogs ~ indoor, cat, mouse { !(indoor) & !(cat) & !(mouse) }"),
    ("-\"red car\"", "~ red car { !\"red car\" }"),
    ("-(red car)", "~ red car { !(red car) }"),
    ("-2:indoor", "~ 2*indoor { !(indoor) }"),
    ("-0.5:(red car)", "~ 0.5*red car { !(red car) }"),
    ("-camera:nikon", "{ !camera:nikon }"),
    ("-2019..2021", "{ !date:2019..2021 }"),
    ("-t-shirt", "~ t-shirt { !(t-shirt) }"),
    ("a dog -cat on a sofa", "a dog on a sofa ~ cat { !(cat) }"),
    ("-(indoor OR night)", "~ indoor, night { !((indoor) | (night)) }"),
    ("-(red (car OR bus))", "~ red car, red bus { !((red) & ((car) | (bus))) }"),
    ("-(camera:nikon has:gps)", "{ !(camera:nikon & has:gps) }"),
    ("-(camera:nikon -has:gps)", "{ !(camera:nikon & !has:gps) }"),
    ("-(-has:gps)", "{ has:gps }"),
    ("-(\"a b\" tag:c)", "{ !(\"a b\" & tag:c) }"),
    ("-(\"a b\" OR tag:c)", "~ a b { !(\"a b\" | tag:c) }"),
    ("-(indoor OR like:a.jpg)", "~ indoor ≠ a.jpg { !(indoor) }"),
    ("-(2:red OR 3:(blue car))", "~ 2*red, 3*blue car { !((red) | (blue car)) }"),
    // Fields.
    ("camera:nikon", "{ camera:nikon }"),
    ("Camera:Nikon CAMERA:d70", "{ camera:Nikon & camera:d70 }"),
    ("camera：nikon", "{ camera:nikon }"),
    ("two camera:nikon dogs", "two dogs { camera:nikon }"),
    ("place:\"New York\"", "{ place:\"New York\" }"),
    ("place:“New  York”", "{ place:\"New York\" }"),
    ("near:Vienna", "{ place:Vienna }"),
    ("near:Sankt-Pölten", "{ place:Sankt-Pölten }"),
    ("tag:a keyword:b", "{ tag:a & tag:b }"),
    (
        "title:t description:d caption:c author:a",
        "{ title:t & description:d & caption:c & author:a }",
    ),
    ("folder:2019/alps name:IMG_2041(1).jpg", "{ folder:2019/alps & name:\"IMG_2041(1).jpg\" }"),
    ("name:-x folder:\"my photos\"", "{ name:\"-x\" & folder:\"my photos\" }"),
    ("type:jpg type:PNG type:.tif", "{ type:jpeg & type:png & type:tiff }"),
    ("orientation:Portrait", "{ orientation:portrait }"),
    ("has:gps has:tags -has:date", "{ has:gps & has:keywords & !has:date }"),
    ("width:>2000 height:<=1000", "{ width:>=2001 & height:<=1000 }"),
    ("width:640..1024 height:480px", "{ width:640..1024 & height:480 }"),
    ("tag:c++ tag:12:30", "{ tag:\"c++\" & tag:12:30 }"),
    ("tag:\"-x\" tag:\"(y)\"", "{ tag:\"-x\" & tag:\"(y)\" }"),
    ("tag:\"\"\"quoted\"\"\"", "{ tag:\"\"\"quoted\"\"\" }"),
    // Dates.
    ("2019..2021", "{ date:2019..2021 }"),
    ("2019-05..", "{ date:2019-05.. }"),
    ("..2020-02-11", "{ date:..2020-02-11 }"),
    ("2019…2021 snow", "snow { date:2019..2021 }"),
    ("2019..2019", "{ date:2019 }"),
    ("2020-02-01..2020-02-29", "{ date:2020-02 }"),
    ("date:2019 date:2019-05 date:2019-05-06", "{ date:2019 & date:2019-05 & date:2019-05-06 }"),
    ("date:2019/5/6", "{ date:2019-05-06 }"),
    ("date:>2019 date:<=2021-06", "{ date:2020.. & date:..2021-06 }"),
    ("before:2020 after:2019-05", "{ date:..2019 & date:2019-06.. }"),
    ("before:2020-03-01", "{ date:..2020-02 }"),
    ("date:\"2019 .. 2021\"", "{ date:2019..2021 }"),
    // Points.
    ("near:48.2,16.4", "{ near:48.2,16.4 }"),
    ("near:48.2,16.4 within:5km", "{ near:48.2,16.4,5km }"),
    ("within:500m dogs near:48.2,16.4", "dogs { near:48.2,16.4,0.5km }"),
    ("near:\"-33.9, 151.2\" within:2", "{ near:-33.9,151.2,2km }"),
    ("near:−33.9,151.2", "{ near:-33.9,151.2 }"),
    ("(near:1,2 OR near:3,4,9km) within:5km", "{ near:1,2,5km | near:3,4,9km }"),
    ("near:1,2 OR near:3,4 within:5km", "{ near:1,2,5km | near:3,4,5km }"),
    ("(near:1,2 within:5km) OR near:3,4", "{ near:1,2,5km | near:3,4 }"),
    ("near:Vienna near:48.2,16.4 within:1mi", "{ place:Vienna & near:48.2,16.4,1.609344km }"),
    // Examples and sums.
    ("like:photo.jpg", "= photo.jpg"),
    ("like:\"my photo.jpg\"", "= my photo.jpg"),
    ("like:C:\\photos\\a.jpg", "= C:\\photos\\a.jpg"),
    ("like:photo(1).jpg like:~/x.png", "= photo(1).jpg, ~/x.png"),
    ("2:like:a.jpg -like:b.jpg -0.5:like:c.jpg", "= 2*a.jpg ≠ b.jpg, 0.5*c.jpg"),
    ("dogs + like:beach.jpg", "dogs = beach.jpg"),
    ("a dog + a cat", "a dog / a cat"),
    ("+dog +cat", "dog / cat"),
    ("2:dogs + 0.5:like:beach.jpg + \"x\"", "2*dogs = 0.5*beach.jpg { \"x\" }"),
    ("(a + b) c", "a / b / c"),
    ("0.5:(a dog + a cat)", "0.5*a dog / 0.5*a cat"),
    // Alternatives.
    ("camera:nikon OR camera:canon", "{ camera:nikon | camera:canon }"),
    (
        "dogs camera:nikon OR camera:canon 2019..",
        "dogs { (camera:nikon | camera:canon) & date:2019.. }",
    ),
    ("(camera:nikon has:gps) OR tag:x", "{ (camera:nikon & has:gps) | tag:x }"),
    ("camera:nikon | camera:canon || tag:x", "{ camera:nikon | camera:canon | tag:x }"),
    ("\"a\" OR -tag:b", "{ \"a\" | !tag:b }"),
    ("dog OR cat", "dog || cat"),
    ("two dogs OR cats in the snow", "two dogs in the snow || two cats in the snow"),
    ("(red OR blue) car", "red car || blue car"),
    ("(red OR blue) (car OR bus)", "red car || red bus || blue car || blue bus"),
    ("(a dog) OR (two cats 2019..)", "a dog || two cats { date:2019.. }"),
    ("dog OR camera:nikon", "dog || { camera:nikon }"),
    ("dog OR dog", "dog"),
    ("dog OR like:cat.jpg", "dog || = cat.jpg"),
    ("2:(dog OR cat)", "2*dog || 2*cat"),
    ("dog OR -cat", "dog || ~ cat { !(cat) }"),
    ("dog or cat and mouse not rat", "dog or cat and mouse not rat"),
    ("camera:nikon AND has:gps", "{ camera:nikon & has:gps }"),
    ("dog AND cat", "dog cat"),
    ("AND dog AND", "and dog and"),
    ("DO NOT ENTER", "DO not ENTER"),
    // Parentheses.
    ("(dog)", "dog"),
    ("a dog (brown) runs", "a dog brown runs"),
    ("((((dog))))", "dog"),
    ("f(x) dog(brown and white)", "f(x) dog brown and white"),
    ("（dog OR cat） run", "dog run || cat run"),
    (
        "two dogs in the snow -indoor camera:nikon 2019..2021 near:Vienna \"golden gate\" like:photo.jpg",
        "two dogs in the snow ~ indoor = photo.jpg { !(indoor) & camera:nikon & date:2019..2021 & \
         place:Vienna & \"golden gate\" }",
    ),
];

/// A query, the part of it under the mark, what is said, and what the hint says.
const MISTAKES: &[(&str, &str, &str, &str)] = &[
    ("fog \"golden gate", "\"", "quotation mark is never closed", "close it"),
    ("place:\"New York", "\"", "quotation mark is never closed", "close it"),
    ("fog “golden", "“", "quotation mark is never closed", "close it"),
    ("\"\"", "\"\"", "nothing between the quotation marks", ""),
    ("a \" \" b", "\" \"", "nothing between the quotation marks", ""),
    ("a (dog", "(", "parenthesis is never closed", "close it"),
    ("a (b (c)", "(", "parenthesis is never closed", "close it"),
    ("a dog) b", ")", "never opened", "drop it"),
    ("a () b", "()", "nothing between the parentheses", ""),
    ("camera:", "camera:", "`camera:` needs a value", "camera:nikon"),
    ("camera: nikon", "camera:", "`camera:` needs a value", "without a blank"),
    ("title:\"\"", "title:\"\"", "`title:` needs a value", "title:"),
    ("(dog like:)", "like:", "`like:` needs a value", "like:beach.jpg"),
    ("dogs camra:nikon", "camra", "no field `camra:`", "did you mean `camera:`?"),
    ("titel:\"a b\"", "titel", "no field `titel:`", "did you mean `title:`?"),
    ("Keywords:x", "Keywords", "no field `Keywords:`", "did you mean `keyword:`?"),
    ("year:2019", "year", "no field `year:`", "did you mean `date:`?"),
    ("location:Rome", "location", "no field `location:`", "did you mean `place:`?"),
    ("2:camera:nikon", "2:camera:nikon", "a weight goes with words", "drop the weight"),
    ("2:\"golden gate\"", "2:\"golden gate\"", "a weight goes with words", "2:(golden gate)"),
    ("a 2:(tag:x 2019..) b", "2:(tag:x 2019..)", "a weight goes with words", ""),
    ("0:dog", "0", "a weight lies between 0.001 and 1000, 0 does not", "-dog"),
    ("9999:dog", "9999", "a weight lies between", "2:dog"),
    ("100:(a 100:b)", "100:", "a weight lies between 0.001 and 1000, 10000 does not", ""),
    ("0,5:dog", "0,5", "with a point", "write 0.5:"),
    ("2:-dog", "2:", "nothing can stand between a weight", "-2:dog"),
    ("--dog", "--", "one minus is enough", ""),
    ("-(a -b)", "-(a -b)", "cannot be left out together", "-this -that"),
    ("-(dog camera:nikon)", "-(dog camera:nikon)", "cannot be left out together", "-this -that"),
    ("-(a + b)", "-(a + b)", "cannot be left out together", ""),
    ("-(like:a.jpg b)", "-(like:a.jpg b)", "cannot be left out together", ""),
    ("-OR", "-", "nothing to leave out", ""),
    ("dogs +", "+", "nothing to add", ""),
    ("a + + b", "+", "nothing to add", ""),
    ("OR dog", "OR", "needs something on both sides", "small letters"),
    ("Portland OR", "OR", "needs something on both sides", "small letters"),
    ("a OR OR b", "OR", "needs something on both sides", ""),
    ("(a OR) b", "OR", "needs something on both sides", ""),
    ("a OR + b", "OR", "needs something on both sides", ""),
    ("dogs NOT tag:x", "NOT", "`NOT` is no sign", "write -tag:"),
    ("date:summer", "summer", "\"summer\" is not a date", "2019-05"),
    ("date:2019-13", "2019-13", "no such day, month or year: 2019-13", ""),
    ("date:2019-02-29", "2019-02-29", "no such day", ""),
    ("2019-13..", "2019-13..", "no such day", ""),
    ("2021..2019", "2021..2019", "ends before it starts", "write 2019..2021"),
    ("2019..soon", "2019..soon", "\"soon\" is not a date", ""),
    ("date:2019-2021", "2019-2021", "with two points", "write 2019..2021"),
    ("date:2019–2021", "2019–2021", "with two points", "write 2019..2021"),
    ("2019 .. 2021", "2019 .. 2021", "without blanks", "2019..2021"),
    ("2019.. 2021", "2019.. 2021", "without blanks", "2019..2021"),
    ("in 2019 ..2021", "2019 ..2021", "without blanks", "2019..2021"),
    ("after:9999", "9999", "no such day", ""),
    ("type:heic", "heic", "`type:` does not know \"heic\"", "jpeg, png"),
    ("orientation:tall", "tall", "does not know \"tall\"", "portrait, landscape, square"),
    ("has:sound", "sound", "does not know \"sound\"", "caption"),
    ("width:wide", "wide", "not a number of pixels", "width:>2000"),
    ("height:2000..1000", "2000..1000", "not a number of pixels", "height:"),
    ("near:91,0", "91,0", "not a point on the globe", "degrees north"),
    ("near:48.2,16.4 within:far", "far", "not a distance", "within:10km"),
    ("near:Vienna within:10km", "within:10km", "needs a point", "in degrees"),
    ("near:1,2 within:1km within:2km", "within:2km", "two `within:`", "near:48.2,16.4,10km"),
    ("near:1,2 -within:1km", "within:1km", "stands by itself", ""),
    ("near:1,2 within:1km OR tag:x", "within:1km", "stands by itself", ""),
    ("camera:-nikon", "-nikon", "a minus goes before the field", "write -camera:nikon"),
    (
        "camera:(nikon OR canon)",
        "camera:",
        "`camera:` takes one value",
        "(camera:this OR camera:that)",
    ),
    ("camera:(nikon)", "(nikon)", "`camera:` takes one value", ""),
    (
        "(a OR b) (c OR d) (e OR f) (g OR h) (i OR j)",
        "(a OR b) (c OR d) (e OR f) (g OR h) (i OR j)",
        "more than 16 different sentences",
        "fewer",
    ),
];

#[test]
fn what_queries_ask_for() {
    let mut wrong = String::new();
    for (typed, want) in QUERIES {
        let got = match Query::parse(typed) {
            Ok(query) => asked(&query),
            Err(error) => error.pointed(typed),
        };
        if got != *want {
            let _ = writeln!(wrong, "{typed:?}\n  want {want}\n  got  {got}");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(QUERIES.len() > 100);
}

#[test]
fn mistakes_are_shown_where_they_stand() {
    let mut wrong = String::new();
    for (typed, part, message, hint) in MISTAKES {
        match Query::parse(typed) {
            Ok(query) => {
                let _ = writeln!(wrong, "{typed:?} reads as {}", asked(&query));
            }
            Err(error) => {
                let marked = &typed[error.span().start..error.span().end];
                let hinted = error.hint().unwrap_or_default();
                let said = error.to_string();
                if marked != *part || !said.contains(message) || !hinted.contains(hint) {
                    let _ = writeln!(wrong, "{typed:?} marks {marked:?}\n{}", error.pointed(typed));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn limits_are_told() {
    let long = "dog ".repeat(2000);
    let error = Query::parse(&long).unwrap_err();
    assert_eq!((error.span().start, error.span().end), (Query::MAX_BYTES, 8000));
    assert!(error.to_string().contains("8000 bytes"));
    let deep = |depth| "(".repeat(depth) + "a" + &")".repeat(depth);
    assert!(Query::parse(&deep(Query::MAX_DEPTH)).is_ok());
    let error = Query::parse(&deep(Query::MAX_DEPTH + 1)).unwrap_err();
    assert_eq!(error.span().start, Query::MAX_DEPTH);
}

#[test]
fn a_query_as_json() {
    let query = Query::parse("2:dog camera:nikon OR 2019..2020-02").unwrap();
    assert_eq!(
        serde_json::to_value(&query).unwrap(),
        serde_json::json!({
            "tree": {"all": [
                {"words": {"text": "dog", "weight": 2.0}},
                {"any": [
                    {"is": {"text": {"field": "camera", "text": "nikon"}}},
                    {"is": {"taken": {"first": "2019-01-01", "last": "2020-02-29"}}},
                ]},
            ]},
            "readings": [{
                "sentence": [{"text": "dog", "weight": 2.0}],
                "exclusions": [],
                "like": [],
                "unlike": [],
                "phrases": [],
                "filter": {"any": [
                    {"is": {"text": {"field": "camera", "text": "nikon"}}},
                    {"is": {"taken": {"first": "2019-01-01", "last": "2020-02-29"}}},
                ]},
            }],
        })
    );
}

fn asked(query: &Query) -> String {
    query.readings().iter().map(reading).collect::<Vec<_>>().join(" || ")
}

fn reading(reading: &Reading) -> String {
    let list = |mark: &str, parts: Vec<String>, between: &str| {
        if parts.is_empty() { String::new() } else { format!("{mark}{}", parts.join(between)) }
    };
    let words = |words: &[Words]| {
        words.iter().map(|words| weighed(words.weight.get(), &words.text)).collect()
    };
    let examples = |examples: &[Example]| {
        examples.iter().map(|example| weighed(example.weight.get(), &example.path)).collect()
    };
    let filter = if reading.filter.is_everything() {
        String::new()
    } else {
        let text = filter(&reading.filter);
        // The outermost parentheses say nothing.
        let joined = matches!(reading.filter, Filter::All(_) | Filter::Any(_));
        format!("{{ {} }}", if joined { &text[1..text.len() - 1] } else { &text })
    };
    let parts = [
        list("", words(&reading.sentence), " / "),
        list("~ ", words(&reading.exclusions), ", "),
        list("= ", examples(&reading.like), ", "),
        list("≠ ", examples(&reading.unlike), ", "),
        filter,
    ];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}

fn weighed(weight: f32, text: &str) -> String {
    if weight == 1.0 { text.to_owned() } else { format!("{weight}*{text}") }
}

fn filter(of: &Filter) -> String {
    let join = |filters: &[Filter], between: &str| {
        let filters: Vec<String> = filters.iter().map(filter).collect();
        format!("({})", filters.join(between))
    };
    match of {
        Filter::All(filters) => join(filters, " & "),
        Filter::Any(filters) => join(filters, " | "),
        Filter::Not(not) => format!("!{}", filter(not)),
        Filter::Is(condition) => condition.to_string(),
    }
}
