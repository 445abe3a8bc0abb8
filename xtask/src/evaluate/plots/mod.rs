//! Pictures of an evaluation, as SVG and as PNG: slowdown and memory by subject with the papers' figures beside ours;
//! violations over rounds of refinement, also by engine (RegionTrack, Figures 8 and 9); and what engines miss and blame
//! too much, by method (Figure 10).

mod accumulated;
mod imprecision;
mod ratios;
mod rounds;

use std::fs::File;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::FontStyle;

use super::blame::{Blame, Blamed};
use super::papers::Row;
use super::tables::Papers;
use super::{Evaluation, Measured};
use crate::bench::{Spread, Summary};
use crate::{Failure, Outcome};
use accumulated::{Accumulated, Plot};
use imprecision::{Imprecision, Rates};
use ratios::{Mark, Ratios};
use rounds::{Curve, Rounds};

/// The only font.
const FONT: &str = "sans-serif";
/// Colours that are distinct also for colour-blind readers (Okabe and Ito), and grey.
const COLOURS: [RGBColor; 9] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(140, 140, 140),
    RGBColor(128, 64, 0),
];

/// Why a picture could not be drawn.
type Drawn = Result<(), String>;

/// Something that can be drawn on any backend.
trait Picture {
    /// Its width and height.
    fn size(&self) -> (u32, u32);
    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Drawn;
}

/// Draws all available results. Returns the names of the files.
pub(super) fn write(folder: &Path, evaluation: &Evaluation, papers: &Papers) -> Result<Vec<String>, Failure> {
    plotters::style::register_font(FONT, FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT)
        .map_err(|_| Failure("the font of the pictures cannot be read".to_owned()))?;
    let mut names = Vec::new();
    for measured in &evaluation.bench {
        let slowdown =
            ratios(measured, papers, "Slowdown: processor time as a multiple of that without the agent", true);
        let memory =
            ratios(measured, papers, "Memory: peak resident memory as a multiple of that without the agent", false);
        for (name, picture) in [("slowdown", slowdown), ("memory", memory)] {
            if !picture.rows.is_empty() {
                names.extend(both(folder, &format!("{name}-{}", measured.part), &picture)?);
            }
        }
    }
    let curves: Vec<Curve> = evaluation.refinements.iter().filter_map(|row| curve(row, papers)).collect();
    if !curves.is_empty() {
        names.extend(both(folder, "refinement", &Rounds { curves })?);
    }
    if let Some(first) = evaluation.blamed.first() {
        let engines: Vec<String> = first.engines.iter().map(|blame| blame.engine.clone()).collect();
        // A subject that was cut off in its first trace has no rounds.
        let has_rounds = |blamed: &&Blamed| blamed.engines.iter().any(|blame| blame.transactions.len() > 1);
        let plots = evaluation.blamed.iter().filter(has_rounds).map(plot).collect();
        let imprecision =
            Imprecision { plots: engines[1..].iter().map(|engine| rates(&evaluation.blamed, engine)).collect() };
        names.extend(both(folder, "accumulated", &Accumulated { engines, plots })?);
        names.extend(both(folder, "imprecision", &imprecision)?);
    }
    Ok(names)
}

/// Returns the transactions that each engine blames in all rounds so far, averaged over the traces.
fn plot(blamed: &Blamed) -> Plot {
    let curve = |blame: &Blame| {
        let mut sum = 0;
        let sums = blame.transactions.iter().map(|count| {
            sum += count;
            sum as f64 / blamed.traces as f64
        });
        sums.collect()
    };
    Plot { name: blamed.subject.clone(), curves: blamed.engines.iter().map(curve).collect() }
}

/// Returns how far an engine is from the exact one, the first, by method: the share of violated transactions that it
/// misses; or, for an engine that blames more than there are, the share of those that are too many.
fn rates(all: &[Blamed], engine: &str) -> Rates {
    let pairs = || all.iter().filter_map(|blamed| Some((blamed.engines.first()?, blamed.engine(engine)?)));
    let total = |of: fn((&Blame, &Blame)) -> u64| pairs().map(of).sum::<u64>();
    let is_missing = total(|(exact, _)| exact.all()) > total(|(_, other)| other.all());
    let mut rates = Vec::new();
    for (exact, other) in pairs() {
        let (all, part) = if is_missing { (exact, other) } else { (other, exact) };
        for (method, &count) in &all.methods {
            let known = part.methods.get(method).copied().unwrap_or(0);
            rates.push((count as f64 - known as f64) / count as f64);
        }
    }
    rates.sort_by(f64::total_cmp);
    let what = if is_missing { "missed by" } else { "blamed too much by" };
    Rates { title: format!("{what} {engine}, {} methods", rates.len()), rates }
}

/// Returns the configurations with an agent, with the papers' figures of the same engines; if none is the same, of the
/// exact one.
fn ratios(measured: &Measured, papers: &Papers, title: &str, is_slowdown: bool) -> Ratios {
    let of = |row: &Summary| if is_slowdown { row.slowdown } else { row.memory };
    let mut series: Vec<String> = measured.configurations()[1..].iter().map(|&name| name.to_owned()).collect();
    let mut engines = series.clone();
    if !series.iter().any(|name| papers.engines().contains(name.as_str())) {
        let exact = papers.papers.regiontrack.first().map_or("", Row::exact);
        series.push(format!("{exact} in its paper"));
        engines.push(exact.to_owned());
    }
    let mut rows = Vec::new();
    for (subject, size) in measured.subjects() {
        let near = papers.nearest(subject);
        let theirs = near.map(|near| if is_slowdown { &near.slowdown } else { &near.memory });
        let mut marks = Vec::new();
        for (at, (name, engine)) in series.iter().zip(&engines).enumerate() {
            let row = measured.row(subject, size, name).filter(|row| row.state == "measured");
            marks.extend(row.and_then(of).map(|Spread { median, least, most }| Mark {
                series: at,
                value: median,
                interval: (least, most),
                is_ours: true,
            }));
            let ratio = theirs.and_then(|theirs| theirs.get(engine));
            marks.extend(ratio.map(|&value| Mark { series: at, value, interval: (value, value), is_ours: false }));
        }
        let other = near.filter(|near| near.name != subject && marks.iter().any(|mark| !mark.is_ours));
        if marks.iter().any(|mark| mark.is_ours) {
            rows.push((other.map_or(subject.to_owned(), |near| format!("{subject} ({})", near.name)), marks));
        }
    }
    Ratios { title: format!("{title}; {}", measured.part), series, rows }
}

/// Returns the violated blocks of all rounds so far; `None` for a subject without any.
fn curve(row: &crate::refine::Refinement, papers: &Papers) -> Option<Curve> {
    let mut sum = 0;
    let mut sums = Vec::new();
    for round in &row.rounds {
        sum += round.violations;
        sums.push(sum);
    }
    let theirs = papers.nearest(&row.subject).and_then(|near| {
        let engine = near.exact();
        Some((near.name.clone(), near.rounds[engine], near.dynamic[engine])).filter(|(_, _, blocks)| *blocks > 0)
    });
    (sum > 0).then(|| Curve { name: row.subject.clone(), sums, theirs })
}

/// Draws into both files.
fn both(folder: &Path, name: &str, picture: &impl Picture) -> Result<[String; 2], Failure> {
    let names = ["svg", "png"].map(|extension| format!("{name}.{extension}"));
    let failed = |name: &str, why: &str| Failure(format!("{}: {why}", folder.join(name).display()));
    let svg = folder.join(&names[0]);
    let area = SVGBackend::new(&svg, picture.size()).into_drawing_area();
    drawn(&area, picture).map_err(|why| failed(&names[0], &why))?;
    drop(area);
    let (width, height) = picture.size();
    let mut pixels = vec![0; (width * height * 3) as usize];
    let area = BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area();
    drawn(&area, picture).map_err(|why| failed(&names[1], &why))?;
    drop(area);
    png(&folder.join(&names[1]), (width, height), &pixels)?;
    Ok(names)
}

fn drawn<B: DrawingBackend>(area: &DrawingArea<B, Shift>, picture: &impl Picture) -> Drawn {
    area.fill(&WHITE).map_err(|e| e.to_string())?;
    picture.draw(area)?;
    area.present().map_err(|e| e.to_string())
}

fn png(file: &Path, (width, height): (u32, u32), pixels: &[u8]) -> Outcome {
    let failed = |why: String| Failure(format!("{}: {why}", file.display()));
    let output = File::create(file).map_err(|e| failed(e.to_string()))?;
    let mut encoder = png::Encoder::new(output, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(pixels));
    written.map_err(|e| failed(e.to_string()))
}

/// A legend: marks with names, from the left, in as many lines as needed.
struct Legend {
    right: i32,
    at: (i32, i32),
}

impl Legend {
    const HEIGHT: i32 = 22;
    const START: i32 = 16;

    fn new(width: u32, top: i32) -> Legend {
        Legend { right: i32::try_from(width).unwrap_or(i32::MAX), at: (Legend::START, top) }
    }

    /// Places a name. Returns the position of its mark.
    fn place<B: DrawingBackend>(&mut self, area: &DrawingArea<B, Shift>, name: &str) -> Result<(i32, i32), String> {
        let style = (FONT, 15).into_text_style(area);
        let (width, _) = area.estimate_text_size(name, &style).map_err(|e| e.to_string())?;
        let width = i32::try_from(width).unwrap_or(0) + 36;
        if self.at.0 + width > self.right {
            self.at = (Legend::START, self.at.1 + Legend::HEIGHT);
        }
        let (x, y) = self.at;
        area.draw(&Text::new(name.to_owned(), (x + 16, y - 7), style)).map_err(|e| e.to_string())?;
        self.at.0 += width;
        Ok((x + 6, y))
    }
}

/// Returns the label for a number at an axis.
fn labelled(number: f64) -> String {
    // Labels of small numbers can be halves; those of whole numbers may be sums with a rounding error.
    if number < 10.0 && (number * 10.0).round() % 10.0 != 0.0 {
        return format!("{number:.1}");
    }
    let digits = format!("{number:.0}");
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join("\u{a0}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::Conditions;

    fn folder(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("regiontrack-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    #[test]
    fn numbers_have_groups_of_three_digits() {
        assert_eq!(
            [0.0, 0.5, 1.5, 2.000_000_1, 100.0, 1e3, 1e6].map(labelled),
            ["0", "0.5", "1.5", "2", "100", "1\u{a0}000", "1\u{a0}000\u{a0}000"]
        );
    }

    #[test]
    fn rates_are_of_the_engine_that_finds_more() {
        let blame = |engine: &str, counts: &[u64]| Blame {
            engine: engine.to_owned(),
            transactions: counts.to_vec(),
            rounds: vec![1],
            distinct: vec![counts.len()],
            methods: ["a", "b", "c"].iter().zip(counts).map(|(name, count)| ((*name).to_owned(), *count)).collect(),
            has_ended: true,
        };
        let engines = vec![blame("exact", &[4, 2]), blame("less", &[1, 2]), blame("more", &[4, 4, 3])];
        let (subject, conditions) = ("h2".to_owned(), Conditions::of_test("a"));
        let all = [Blamed { subject, conditions, traces: 1, over_minutes: None, engines }];
        assert_eq!(rates(&all, "less").rates, [0.0, 0.75]);
        assert_eq!(rates(&all, "more").rates, [0.0, 0.5, 1.0]);
        assert!(rates(&all, "less").title.starts_with("missed by") && rates(&all, "more").title.starts_with("blamed"));
        assert_eq!(plot(&all[0]).curves[2], [4.0, 8.0, 11.0]);
    }

    #[test]
    fn a_picture_is_written_as_svg_with_its_names_and_as_png() {
        plotters::style::register_font(FONT, FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT)
            .unwrap_or_else(|_| panic!("the font"));
        let mark = |series, value, is_ours| Mark { series, value, interval: (value / 2.0, value * 2.0), is_ours };
        let rows = vec![("sor".to_owned(), vec![mark(0, 3.0, true), mark(1, 200.0, false)])];
        let series = ["first", "second"].map(str::to_owned).to_vec();
        let ratios = Ratios { title: "Slowdown".to_owned(), series, rows };
        let curve = Curve { name: "h2".to_owned(), sums: vec![5, 7, 7], theirs: Some(("hsqldb6".to_owned(), 4, 8267)) };
        let plot = Plot { name: "hsqldb".to_owned(), curves: vec![vec![2.0, 90.0], vec![1.5], vec![]] };
        let accumulated = Accumulated { engines: vec!["velodrome".to_owned()], plots: vec![plot] };
        let missed = Rates { title: "missed by velodrome".to_owned(), rates: vec![-0.5, 0.0, 0.5, 1.0] };
        let folder = folder("pictures");
        both(&folder, "accumulated", &accumulated).unwrap_or_else(|e| panic!("{}", e.0));
        both(&folder, "imprecision", &Imprecision { plots: vec![missed] }).unwrap_or_else(|e| panic!("{}", e.0));
        both(&folder, "ratios", &ratios).unwrap_or_else(|e| panic!("{}", e.0));
        both(&folder, "rounds", &Rounds { curves: vec![curve] }).unwrap_or_else(|e| panic!("{}", e.0));
        let all = [
            ("ratios", vec!["sor", "first", "second", "Slowdown"]),
            ("rounds", vec!["h2", "hsqldb6"]),
            ("accumulated", vec!["hsqldb", "velodrome"]),
            ("imprecision", vec!["missed by velodrome", "methods"]),
        ];
        for (name, words) in all {
            let svg = std::fs::read_to_string(folder.join(format!("{name}.svg"))).expect("a picture");
            assert!(words.iter().all(|word| svg.contains(word)), "{name}: {svg}");
            let png = std::fs::read(folder.join(format!("{name}.png"))).expect("a picture");
            assert!(png.starts_with(b"\x89PNG") && png.len() > 1000);
        }
        std::fs::remove_dir_all(&folder).expect("the folder of this test");
    }
}
