//! Writes the first corpus: every file of every sample, a few TREC files, arrays and queries.

use std::path::Path;

use rebus_fuzz::{files, samples::SAMPLES};

fn main() -> std::io::Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let put = |target: &str, name: String, bytes: &[u8]| {
        let folder = corpus.join(target);
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join(name), bytes)
    };
    for (number, sample) in SAMPLES.iter().enumerate() {
        let folder = tempfile::tempdir()?;
        (sample.write)(folder.path());
        for (at, file) in files(folder.path()).iter().enumerate() {
            let mut bytes = vec![number as u8, at as u8];
            bytes.extend(std::fs::read(file)?);
            put("readers", format!("{}-{number}-{at}", sample.format), &bytes)?;
        }
    }
    put("trec", "qrels".into(), b"1 0 a 1\n1 0 b -1\n2 0 a 0\n")?;
    put("trec", "run".into(), b"1 Q0 a 1 0.5 x\n1 Q0 b 2 -1e3 x\n2 Q0 c 1 3 x\n")?;
    let mut array = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
    array.extend(format!("{header:<117}\n").bytes());
    array.extend([0; 24]);
    put("npy", "f4".into(), &array)?;
    for (number, field) in rebus_query::FIELDS.iter().enumerate() {
        put("query", format!("field-{number}"), field.example.as_bytes())?;
    }
    let query = r#"two 2:dogs OR (a cat) -indoor 2019..2021 "golden gate" + -0.5:like:"a b.jpg""#;
    put("query", "all".into(), query.as_bytes())?;
    put("captions", "coco".into(), br#"[{"image_id": 1, "caption": "A dog ."}]"#)?;
    put("captions", "object".into(), br#"{"1": ["A dog .", "The dog ."]}"#)?;
    put("captions", "lines".into(), b"a\tdog,beach\nb\tsea\n")
}
