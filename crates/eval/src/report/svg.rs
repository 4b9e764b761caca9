//! Plots as plain SVG.
//!
//! Lines differ by colour, by dashes and by the mark on their points, and carry their name at their
//! end: nothing is told by colour alone. Colours are classes (`c0`, `c1`, ...), so that the page
//! decides them for light and dark.

use std::fmt::Write;

use super::html::escape;
use super::plot::{Bar, Plot, Scale, Series, Shape};

const WIDTH: f64 = 680.0;
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = HEIGHT - 56.0;
/// Colours, dash patterns and marks repeat after this many lines.
const LOOKS: usize = 6;
const DASHES: [&str; LOOKS] = ["", "7 4", "2 4", "10 4 2 4", "14 5", "5 3 1 3 1 3"];
/// More points than this are drawn as a line only.
const MARKED: usize = 40;

/// Draws the plot.
pub(super) fn draw(plot: &Plot) -> String {
    let mut out = format!(
        "<svg class=\"plot\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         role=\"img\"><title>{}</title><desc>{}</desc>",
        escape(&plot.title),
        escape(&description(plot))
    );
    match &plot.shape {
        Shape::Lines(series) => lines(plot, series, &mut out),
        Shape::Bars(bars) => columns(plot, bars, 0.28, &mut out),
        Shape::Histogram(bars) => columns(plot, bars, 0.04, &mut out),
    }
    out.push_str("</svg>");
    out
}

/// The plot in a sentence, for those who hear it.
fn description(plot: &Plot) -> String {
    match &plot.shape {
        Shape::Lines(series) => {
            let names: Vec<&str> = series.iter().map(|series| series.name.as_str()).collect();
            format!("{} over {}, a line each for: {}.", plot.y, plot.x, names.join(", "))
        }
        Shape::Bars(bars) | Shape::Histogram(bars) => {
            let bar = |bar: &Bar| match bar.interval {
                Some((low, high)) => {
                    format!(
                        "{}: {}, {} to {}",
                        bar.name,
                        number(bar.value),
                        number(low),
                        number(high)
                    )
                }
                None => format!("{}: {}", bar.name, number(bar.value)),
            };
            let bars: Vec<String> = bars.iter().map(bar).collect();
            format!("{} for each {}. {}.", plot.y, plot.x, bars.join("; "))
        }
    }
}

/// From figures to places on the page, along one axis.
struct Axis {
    low: f64,
    high: f64,
    scale: Scale,
    from: f64,
    to: f64,
}

impl Axis {
    fn place(&self, value: f64) -> f64 {
        let along = match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            // Differences of logarithms: a quotient of extremes would not be finite.
            Scale::Log => (value.ln() - self.low.ln()) / (self.high.ln() - self.low.ln()),
        };
        self.from + along * (self.to - self.from)
    }

    /// Round values within the axis, at most a handful.
    fn ticks(&self) -> Vec<f64> {
        match self.scale {
            Scale::Linear => linear_ticks(self.low, self.high),
            Scale::Log => log_ticks(self.low, self.high),
        }
    }
}

/// The smallest of 1, 2, 5 times a power of ten that cuts the range into at most five steps.
fn step(range: f64) -> f64 {
    let rough = range / 5.0;
    let ten = 10_f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .map(|factor| factor * ten)
        .into_iter()
        .find(|&s| s >= rough * 0.999)
        .unwrap_or(10.0 * ten)
}

fn linear_ticks(low: f64, high: f64) -> Vec<f64> {
    let step = step(high - low);
    let first = (low / step - 1e-9).ceil();
    let last = (high / step + 1e-9).floor();
    (0..=((last - first).clamp(0.0, 20.0) as usize)).map(|i| (first + i as f64) * step).collect()
}

fn log_ticks(low: f64, high: f64) -> Vec<f64> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let decades = last - first;
    let factors: &[f64] = if decades > 3 { &[1.0] } else { &[1.0, 2.0, 5.0] };
    (first..=last)
        .step_by((decades / 8 + 1) as usize)
        .flat_map(|power| factors.iter().map(move |factor| factor * 10_f64.powi(power)))
        .filter(|&tick| tick >= low * 0.999 && tick <= high * 1.001)
        .collect()
}

/// A number as short as it can be said.
fn number(value: f64) -> String {
    let magnitude = value.abs();
    if magnitude >= 1e6 || (magnitude > 0.0 && magnitude < 1e-4) {
        return format!("{value:.1e}");
    }
    let decimals = if magnitude >= 100.0 { 1 } else { 4 };
    let text = format!("{value:.decimals$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// How much room a name takes at the end of its line, in the widest of the fonts that a page may get.
fn name_width(name: &str) -> f64 {
    name.chars().map(|letter| if letter.is_uppercase() { 11.0 } else { 8.4 }).sum()
}

fn lines(plot: &Plot, series: &[Series], out: &mut String) {
    let drawn: Vec<(&Series, Vec<(f64, f64)>)> =
        series.iter().map(|series| (series, visible(series, plot.x_scale))).collect();
    let points = || drawn.iter().flat_map(|(_, points)| points.iter().copied());
    let names = drawn.iter().map(|(series, _)| name_width(&shortened(&series.name)));
    let right = WIDTH - 16.0 - names.fold(0.0, f64::max);
    let (low, high) = range(points().map(|(x, _)| x), plot.x_scale);
    let x = Axis { low, high, scale: plot.x_scale, from: LEFT, to: right };
    let y = upward(points().map(|(_, y)| y));
    frame_y(plot, &y, right, out);
    for tick in x.ticks() {
        let at = x.place(tick);
        let _ = write!(
            out,
            "<line class=\"tick\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{BOTTOM}\" y2=\"{:.1}\"/>\
             <text class=\"label\" x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            BOTTOM + 5.0,
            BOTTOM + 20.0,
            number(tick)
        );
    }
    frame_x(plot, right, out);
    let ends = name_places(&drawn, &y);
    for (look, ((series, points), end)) in drawn.iter().zip(ends).enumerate() {
        line(look, points, &x, &y, out);
        if let (Some(at), Some(&(last, _))) = (end, points.last()) {
            let _ = write!(
                out,
                "<text class=\"name c{}\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                look % LOOKS,
                x.place(last) + 10.0,
                at + 4.0,
                escape(&shortened(&series.name))
            );
        }
    }
}

/// The points that can be drawn.
fn visible(series: &Series, scale: Scale) -> Vec<(f64, f64)> {
    let can = |&(x, y): &(f64, f64)| {
        x.is_finite() && y.is_finite() && (scale == Scale::Linear || x > 0.0)
    };
    series.points.iter().copied().filter(can).collect()
}

/// Where the names at the lines' ends go, moved apart where they would lie upon each other.
fn name_places(drawn: &[(&Series, Vec<(f64, f64)>)], y: &Axis) -> Vec<Option<f64>> {
    const APART: f64 = 15.0;
    let ends = drawn.iter().map(|(_, points)| points.last().map(|&(_, last)| y.place(last)));
    let mut places: Vec<Option<f64>> = ends.collect();
    let mut order: Vec<usize> = (0..places.len()).filter(|&i| places[i].is_some()).collect();
    order.sort_by(|&a, &b| places[b].partial_cmp(&places[a]).unwrap_or(std::cmp::Ordering::Equal));
    // From the lowest on the page upwards, each at least a line's height above the last.
    let mut below = f64::INFINITY;
    for index in order {
        let at = places[index].map(|at| at.min(below - APART));
        below = at.unwrap_or(below);
        places[index] = at;
    }
    places
}

fn line(look: usize, points: &[(f64, f64)], x: &Axis, y: &Axis, out: &mut String) {
    let look = look % LOOKS;
    let places: Vec<(f64, f64)> = points.iter().map(|&(a, b)| (x.place(a), y.place(b))).collect();
    let path: Vec<String> = places.iter().map(|(a, b)| format!("{a:.1},{b:.1}")).collect();
    let _ = write!(
        out,
        "<polyline class=\"line c{look}\" points=\"{}\" stroke-dasharray=\"{}\"/>",
        path.join(" "),
        DASHES[look]
    );
    if places.len() <= MARKED {
        for (a, b) in places {
            mark(look, a, b, out);
        }
    }
}

/// Circle, square, triangle, diamond, cross, plus.
fn mark(look: usize, x: f64, y: f64, out: &mut String) {
    let path = match look {
        0 => "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z",
        1 => "m-3.2-3.2h6.4v6.4h-6.4z",
        2 => "m0-4.2l4 7h-8z",
        3 => "m0-4.6l4.2 4.6l-4.2 4.6l-4.2-4.6z",
        4 => "m-3.4-3.4l6.8 6.8m0-6.8l-6.8 6.8",
        _ => "m-4.4 0h8.8m-4.4-4.4v8.8",
    };
    let _ = write!(out, "<path class=\"mark c{look}\" d=\"M{x:.1} {y:.1}{path}\"/>");
}

fn columns(plot: &Plot, bars: &[Bar], gap: f64, out: &mut String) {
    let right = WIDTH - 16.0;
    let ends = |bar: &Bar| bar.interval.map_or([bar.value; 2], |(low, high)| [low, high]);
    let values = bars.iter().flat_map(|bar| [bar.value].into_iter().chain(ends(bar)));
    let y = upward(values.filter(|value| value.is_finite()));
    frame_y(plot, &y, right, out);
    let slot = (right - LEFT) / bars.len().max(1) as f64;
    // Every name where there is room, else every second, third, ...
    let longest = bars.iter().map(|bar| bar.name.chars().count()).max().unwrap_or(0);
    let every = ((longest as f64 * 7.0 + 6.0) / slot).ceil().max(1.0) as usize;
    for (index, bar) in bars.iter().enumerate() {
        let value = if bar.value.is_finite() { bar.value } else { 0.0 };
        let left = LEFT + slot * (index as f64 + gap / 2.0);
        let (middle, top) = (LEFT + slot * (index as f64 + 0.5), y.place(value));
        let (high, low) = (top.min(y.place(0.0)), top.max(y.place(0.0)));
        let _ = write!(
            out,
            "<rect class=\"bar\" x=\"{left:.1}\" y=\"{high:.1}\" width=\"{:.1}\" \
             height=\"{:.1}\"><title>{}: {}</title></rect>",
            slot * (1.0 - gap),
            low - high,
            escape(&bar.name),
            number(bar.value)
        );
        let [lower, upper] = ends(bar).map(|end| y.place(end));
        if bar.interval.is_some() && lower.is_finite() && upper.is_finite() {
            let _ = write!(
                out,
                "<path class=\"interval\" d=\"M{middle:.1} {lower:.1}V{upper:.1}m-6 0h12M{:.1} \
                 {lower:.1}h12\"/>",
                middle - 6.0
            );
        }
        if slot >= 34.0 {
            let above = if upper.is_finite() { high.min(upper) } else { high };
            let _ = write!(
                out,
                "<text class=\"value\" x=\"{middle:.1}\" y=\"{:.1}\" \
                 text-anchor=\"middle\">{}</text>",
                above - 5.0,
                number(bar.value)
            );
        }
        if index % every == 0 {
            let _ = write!(
                out,
                "<text class=\"label\" x=\"{middle:.1}\" y=\"{:.1}\" \
                 text-anchor=\"middle\">{}</text>",
                BOTTOM + 20.0,
                escape(&shortened(&bar.name))
            );
        }
    }
    frame_x(plot, right, out);
}

fn shortened(name: &str) -> String {
    if name.chars().count() <= 24 {
        return name.to_owned();
    }
    name.chars().take(23).chain(['…']).collect()
}

/// The lowest and highest value, never the same.
fn range(values: impl Iterator<Item = f64>, scale: Scale) -> (f64, f64) {
    let ends = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    match (ends, scale) {
        ((low, high), _) if low < high => (low, high),
        ((low, _), Scale::Linear) if low.is_finite() => (low - 0.5, low + 0.5),
        ((low, _), Scale::Log) if low.is_finite() => (low / 2.0, low * 2.0),
        (_, Scale::Linear) => (0.0, 1.0),
        (_, Scale::Log) => (1.0, 10.0),
    }
}

/// An upward axis that holds zero and ends at a round value; shares above a half go up to one.
fn upward(values: impl Iterator<Item = f64>) -> Axis {
    let (low, high) = range(values.chain([0.0]), Scale::Linear);
    let (low, high) = if low == -0.5 && high == 0.5 { (0.0, 1.0) } else { (low, high) };
    let step = step(high - low);
    let up = |value: f64| (value / step - 1e-9).ceil() * step;
    let (low, mut high) = (-up(-low), up(high));
    if low == 0.0 && (0.5..1.0).contains(&high) {
        high = 1.0;
    }
    Axis { low, high, scale: Scale::Linear, from: BOTTOM, to: TOP + 8.0 }
}

fn frame_y(plot: &Plot, y: &Axis, right: f64, out: &mut String) {
    for tick in y.ticks() {
        let at = y.place(tick);
        let _ = write!(
            out,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{right:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
             <text class=\"label\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 8.0,
            at + 4.0,
            number(tick)
        );
    }
    let middle = (TOP + BOTTOM) / 2.0;
    let _ = write!(
        out,
        "<text class=\"axis\" x=\"16\" y=\"{middle:.1}\" text-anchor=\"middle\" \
         transform=\"rotate(-90 16 {middle:.1})\">{}</text>",
        escape(&plot.y)
    );
}

fn frame_x(plot: &Plot, right: f64, out: &mut String) {
    let _ = write!(
        out,
        "<line class=\"base\" x1=\"{LEFT}\" x2=\"{right:.1}\" y1=\"{BOTTOM}\" y2=\"{BOTTOM}\"/>\
         <text class=\"axis\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        (LEFT + right) / 2.0,
        HEIGHT - 12.0,
        escape(&plot.x)
    );
}
