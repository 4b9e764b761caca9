//! Stars as the ranking-task paper prints them (section 4.2.1).

use std::fmt;

/// How sure a difference is: `*` for p <= 0.1, `**` for p <= 0.05, `***` for p <= 0.01.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stars {
    /// p above 0.1.
    None,
    /// p <= 0.1.
    One,
    /// p <= 0.05.
    Two,
    /// p <= 0.01.
    Three,
}

impl Stars {
    /// The line that explains them under a table.
    pub const LEGEND: &'static str = "* p <= 0.1, ** p <= 0.05, *** p <= 0.01";

    /// The stars of a p-value.
    pub fn of(p: f64) -> Self {
        match p {
            p if p <= 0.01 => Self::Three,
            p if p <= 0.05 => Self::Two,
            p if p <= 0.1 => Self::One,
            _ => Self::None,
        }
    }
}

impl fmt::Display for Stars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::None => "",
            Self::One => "*",
            Self::Two => "**",
            Self::Three => "***",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Stars;

    #[test]
    fn the_limits_belong_to_the_stars() {
        assert_eq!(Stars::of(0.01), Stars::Three);
        assert_eq!(Stars::of(0.011), Stars::Two);
        assert_eq!(Stars::of(0.05), Stars::Two);
        assert_eq!(Stars::of(0.1), Stars::One);
        assert_eq!(Stars::of(0.101), Stars::None);
        assert_eq!(Stars::of(f64::NAN), Stars::None);
        assert_eq!(format!("{:<3}|", Stars::One), "*  |");
    }
}
