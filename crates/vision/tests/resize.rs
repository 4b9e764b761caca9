//! Resizing against Pillow's recorded results, to the last bit.

use rebus_vision::Picture;
use rebus_vision::encoder::{Filter, resize};
use serde_json::Value;

#[test]
fn as_pillow_does_it() {
    let reference: Value = serde_json::from_str(include_str!("reference/resize.json")).unwrap();
    let picture = Picture::from_fn(23, 17, |x, y| {
        let third = if (x / 3 + y / 2) % 2 == 1 { 255 } else { 0 };
        image::Rgb([((x * 37 + y * 11) % 256) as u8, ((x * x + 3 * y) % 256) as u8, third])
    });
    for case in reference["cases"].as_array().unwrap() {
        let side = |key: &str| case[key].as_u64().unwrap() as u32;
        let filter: Filter = serde_json::from_value(case["filter"].clone()).unwrap();
        let want: Vec<u8> = serde_json::from_value(case["bytes"].clone()).unwrap();
        let got = resize(&picture, side("width"), side("height"), filter);
        assert_eq!(got.as_raw(), &want, "{filter:?} {} x {}", side("width"), side("height"));
    }
}
