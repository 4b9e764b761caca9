//! What a plot shows: lines, bars or a histogram, without a word about how it is drawn.

/// A plot of a report.
///
/// ```
/// use rebus_eval::report::{Plot, Scale};
///
/// let plot = Plot::lines("Recall", "k", "R@k")
///     .scale(Scale::Log)
///     .series("KCCA", vec![(1.0, 0.08), (5.0, 0.21), (10.0, 0.30)]);
/// assert!(plot.to_svg().starts_with("<svg"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    /// What it shows, in a few words.
    pub title: String,
    /// What goes to the right.
    pub x: String,
    /// What goes up.
    pub y: String,
    /// How the steps to the right are spaced (lines only).
    pub x_scale: Scale,
    /// The figures.
    pub shape: Shape,
}

/// How an axis is spaced.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Scale {
    /// Evenly.
    #[default]
    Linear,
    /// By factors; points that are not positive are left out.
    Log,
}

/// The figures of a plot.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// One line a series.
    Lines(Vec<Series>),
    /// One bar a name.
    Bars(Vec<Bar>),
    /// One bar a range of values, bars side by side without a gap.
    Histogram(Vec<Bar>),
}

/// A line.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Whose line it is.
    pub name: String,
    /// Its points, from left to right. Points that are not finite are left out.
    pub points: Vec<(f64, f64)>,
}

/// A bar.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// What it stands for.
    pub name: String,
    /// How high it is.
    pub value: f64,
    /// The ends of an interval around it, where one is known.
    pub interval: Option<(f64, f64)>,
}

impl Plot {
    /// A plot of lines, to which [`Plot::series`] adds.
    pub fn lines(title: &str, x: &str, y: &str) -> Self {
        Self::new(title, x, y, Shape::Lines(Vec::new()))
    }

    /// A plot of bars, to which [`Plot::bar`] adds.
    pub fn bars(title: &str, x: &str, y: &str) -> Self {
        Self::new(title, x, y, Shape::Bars(Vec::new()))
    }

    /// How many queries have their gold item at rank 1, at 2 to 5, 6 to 10, 11 to 20, 21 to 50 and
    /// so on.
    pub fn ranks(title: &str, ranks: impl IntoIterator<Item = u64>) -> Self {
        let ranks: Vec<u64> = ranks.into_iter().collect();
        let last = ranks.iter().copied().max().unwrap_or(0);
        let mut bars = Vec::new();
        let mut low = 1;
        for high in rank_limits() {
            let count = ranks.iter().filter(|&&rank| (low..=high).contains(&rank)).count();
            let name = if low == high { low.to_string() } else { format!("{low}–{high}") };
            bars.push(Bar { name, value: count as f64, interval: None });
            if high >= last {
                break;
            }
            low = high + 1;
        }
        Self::new(title, "rank of the first gold item", "queries", Shape::Histogram(bars))
    }

    fn new(title: &str, x: &str, y: &str, shape: Shape) -> Self {
        let [title, x, y] = [title, x, y].map(str::to_owned);
        Self { title, x, y, x_scale: Scale::Linear, shape }
    }

    /// Spaces the steps to the right.
    #[must_use]
    pub fn scale(mut self, scale: Scale) -> Self {
        self.x_scale = scale;
        self
    }

    /// Adds a line. Does nothing where the plot has bars.
    #[must_use]
    pub fn series(mut self, name: &str, points: Vec<(f64, f64)>) -> Self {
        if let Shape::Lines(series) = &mut self.shape {
            series.push(Series { name: name.to_owned(), points });
        }
        self
    }

    /// Adds a bar. Does nothing where the plot has lines.
    #[must_use]
    pub fn bar(self, name: &str, value: f64) -> Self {
        self.bar_within(name, value, None)
    }

    /// Adds a bar with an interval around its value. Does nothing where the plot has lines.
    #[must_use]
    pub fn bar_within(mut self, name: &str, value: f64, interval: Option<(f64, f64)>) -> Self {
        if let Shape::Bars(bars) | Shape::Histogram(bars) = &mut self.shape {
            bars.push(Bar { name: name.to_owned(), value, interval });
        }
        self
    }

    /// The plot as an SVG element. Its colours are those of the page's style sheet, or the text's
    /// own where there is none.
    pub fn to_svg(&self) -> String {
        super::svg::draw(self)
    }
}

/// 1, 5, 10, 20, 50, 100, 200, 500, ...
fn rank_limits() -> impl Iterator<Item = u64> {
    let decades = std::iter::successors(Some(10_u64), |ten| ten.checked_mul(10));
    let steps = decades.flat_map(|ten| [1, 2, 5].map(|step| ten.saturating_mul(step)));
    [1, 5].into_iter().chain(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_fall_into_their_bins() {
        let plot = Plot::ranks("Ranks", [1, 1, 3, 10, 11, 70]);
        let Shape::Histogram(bars) = plot.shape else { panic!("no histogram") };
        let bars: Vec<(&str, f64)> =
            bars.iter().map(|bar| (bar.name.as_str(), bar.value)).collect();
        assert_eq!(
            bars,
            [
                ("1", 2.0),
                ("2–5", 1.0),
                ("6–10", 1.0),
                ("11–20", 1.0),
                ("21–50", 0.0),
                ("51–100", 1.0)
            ]
        );
    }

    #[test]
    fn no_ranks_no_harm() {
        assert!(Plot::ranks("Ranks", []).to_svg().ends_with("</svg>"));
        assert!(Plot::ranks("Ranks", [u64::MAX]).to_svg().ends_with("</svg>"));
    }
}
