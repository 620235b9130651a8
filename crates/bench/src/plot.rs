//! Line plots as SVG, with a logarithmic x axis.

use crate::report::format_thousands;
use std::fmt::Write as _;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
/// Margins for labels: left, top, right, bottom.
const MARGINS: [f64; 4] = [70.0, 40.0, 150.0, 50.0];
/// Palette for colour-blind readers.
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#333333", "#999999"];

/// A named line.
#[derive(Debug, Clone)]
pub struct Series<'a> {
    /// Label in the legend.
    pub name: &'a str,
    /// Pairs of x and y; x is above 0.
    pub points: Vec<(f64, f64)>,
}

/// A line plot.
#[derive(Debug, Clone)]
pub struct Plot<'a> {
    /// Heading.
    pub title: &'a str,
    /// Label of the x axis, which is logarithmic.
    pub across: &'a str,
    /// Label of the y axis, which starts at 0.
    pub up: &'a str,
    /// Lines, each in its own colour.
    pub series: Vec<Series<'a>>,
}

impl Plot<'_> {
    /// Renders the plot as an SVG document.
    #[must_use]
    pub fn svg(&self) -> String {
        let points = || self.series.iter().flat_map(|series| series.points.iter());
        let (mut least, mut most, mut highest) = (f64::MAX, f64::MIN_POSITIVE, 1.0_f64);
        for (across, up) in points() {
            (least, most) = (least.min(*across), most.max(*across));
            highest = highest.max(*up);
        }
        let [left, top, right, bottom] = MARGINS;
        let span = (most / least).log10().max(f64::EPSILON);
        let x = |across: f64| left + (WIDTH - left - right) * (across / least).log10() / span;
        let y = |up: f64| HEIGHT - bottom - (HEIGHT - top - bottom) * up / (highest * 1.05);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"13\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
             <text x=\"{left}\" y=\"20\" font-size=\"15\">{}: {}</text>\n",
            self.title, self.up
        );
        for part in 0..=4 {
            let up = highest * f64::from(part) / 4.0;
            let _ = writeln!(
                svg,
                "<line x1=\"{left}\" x2=\"{0:.1}\" y1=\"{2:.1}\" y2=\"{2:.1}\" stroke=\"#ddd\"/>\
                 <text x=\"{1:.1}\" y=\"{3:.1}\" text-anchor=\"end\">{up:.0}</text>",
                WIDTH - right,
                left - 8.0,
                y(up),
                y(up) + 4.0
            );
        }
        let mut across = points().map(|(across, _)| *across).collect::<Vec<_>>();
        across.sort_by(f64::total_cmp);
        across.dedup();
        for size in across {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                x(size),
                HEIGHT - bottom + 20.0,
                format_thousands(size as u64)
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            left.midpoint(WIDTH - right),
            HEIGHT - 8.0,
            self.across
        );
        for (series, colour) in self.series.iter().zip(COLOURS.iter().cycle()) {
            line(&mut svg, series, colour, &x, &y);
        }
        self.legend(&mut svg);
        svg.push_str("</svg>\n");
        svg
    }

    /// Lists the names in the order of the lines' last values, so that they do not overlap.
    fn legend(&self, svg: &mut String) {
        let mut ends = (0..self.series.len()).collect::<Vec<_>>();
        let end = |at: &usize| self.series[*at].points.last().map_or(0.0, |point| point.1);
        ends.sort_by(|a, b| end(b).total_cmp(&end(a)));
        for (row, at) in ends.into_iter().enumerate() {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{}\">{}</text>",
                WIDTH - MARGINS[2] + 16.0,
                MARGINS[1] + 18.0 * (row as f64 + 1.0),
                COLOURS[at % COLOURS.len()],
                self.series[at].name
            );
        }
    }
}

fn line(
    svg: &mut String,
    series: &Series<'_>,
    colour: &str,
    x: &impl Fn(f64) -> f64,
    y: &impl Fn(f64) -> f64,
) {
    let mut path = String::new();
    for (across, up) in &series.points {
        let _ = write!(path, "{:.1},{:.1} ", x(*across), y(*up));
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"/>",
            x(*across),
            y(*up)
        );
    }
    let path = path.trim_end();
    let _ = writeln!(
        svg,
        "<polyline points=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_goes_through_its_points() {
        let plot = Plot {
            title: "Cost",
            across: "posts",
            up: "µs",
            series: vec![Series {
                name: "Friends",
                points: vec![(10.0, 0.0), (100.0, 50.0), (1_000.0, 100.0)],
            }],
        };
        let svg = plot.svg();
        assert!(svg.contains("points=\"70.0,350.0 320.0,202.4 570.0,54.8\""), "{svg}");
        assert!(svg.contains(">1,000</text>") && svg.contains(">Friends</text>"));
    }
}
