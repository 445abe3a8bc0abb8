//! Violated blocks over rounds of refinement, accumulated, after RegionTrack's Figures 8 and 9: lines are ours; a
//! square is the value of the paper's Table 3 after its last round, since the paper only draws its curves.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::{COLOURS, Drawn, FONT, Legend, Picture, labelled};

/// A subject.
pub(super) struct Curve {
    pub(super) name: String,
    /// After each round.
    pub(super) sums: Vec<u64>,
    /// The subject of the paper, its rounds and its violated blocks.
    pub(super) theirs: Option<(String, u64, u64)>,
}

/// The whole picture.
pub(super) struct Rounds {
    pub(super) curves: Vec<Curve>,
}

/// The height above the axes, for title and legend.
const TOP: u32 = 96;

impl Rounds {
    fn colour(at: usize) -> RGBColor {
        COLOURS[at % COLOURS.len()]
    }

    /// Lines of one colour differ by their marks.
    fn is_ring(at: usize) -> bool {
        (at / COLOURS.len()) % 2 == 1
    }

    fn legend<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Drawn {
        let mut legend = Legend::new(self.size().0, 48);
        for (at, curve) in self.curves.iter().enumerate() {
            let centre = legend.place(area, &curve.name)?;
            let colour = Rounds::colour(at);
            let style = if Rounds::is_ring(at) { colour.stroke_width(1) } else { colour.filled() };
            area.draw(&Circle::new(centre, 4, style)).map_err(|e| e.to_string())?;
        }
        if self.curves.iter().any(|curve| curve.theirs.is_some()) {
            let (x, y) = legend.place(area, "square: the paper's last round, with its subject's name")?;
            let corners = [(x - 4, y - 4), (x + 4, y + 4)];
            area.draw(&Rectangle::new(corners, BLACK.stroke_width(1))).map_err(|e| e.to_string())?;
        }
        Ok(())
    }
}

impl Picture for Rounds {
    fn size(&self) -> (u32, u32) {
        (1100, 720)
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Drawn {
        let failed = |e: DrawingAreaErrorKind<B::ErrorType>| e.to_string();
        let title = "Violated blocks of all rounds so far, by round of refinement";
        area.draw(&Text::new(title, (16, 14), (FONT, 20))).map_err(failed)?;
        self.legend(area)?;
        let (_, plot) = area.split_vertically(TOP);
        let theirs = || self.curves.iter().filter_map(|curve| curve.theirs.as_ref());
        let rounds =
            self.curves.iter().map(|curve| curve.sums.len() as u64).chain(theirs().map(|(_, rounds, _)| *rounds));
        let blocks = self
            .curves
            .iter()
            .flat_map(|curve| curve.sums.last().copied())
            .chain(theirs().map(|(_, _, blocks)| *blocks));
        let (last, most) = (rounds.max().unwrap_or(1) as f64, blocks.max().unwrap_or(1) as f64);
        let mut chart = ChartBuilder::on(&plot)
            .x_label_area_size(50)
            .y_label_area_size(90)
            .margin_left(20)
            .margin_right(90)
            .build_cartesian_2d(0.5..last + 0.5, (0.8..most * 2.0).log_scale())
            .map_err(failed)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_labels((last as usize).min(25))
            .x_label_formatter(&|round| format!("{round:.0}"))
            .y_label_formatter(&|blocks| labelled(*blocks))
            .x_desc("round")
            .y_desc("violated blocks, logarithmic")
            .label_style((FONT, 15))
            .axis_desc_style((FONT, 16))
            .draw()
            .map_err(failed)?;
        for (at, curve) in self.curves.iter().enumerate() {
            let colour = Rounds::colour(at);
            let style = if Rounds::is_ring(at) { colour.stroke_width(1) } else { colour.filled() };
            let points: Vec<(f64, f64)> = (1..)
                .zip(&curve.sums)
                .map(|(round, &sum)| (f64::from(round), sum as f64))
                .filter(|(_, sum)| *sum > 0.0)
                .collect();
            chart.draw_series(LineSeries::new(points.clone(), colour.stroke_width(2))).map_err(failed)?;
            chart.draw_series(points.iter().map(|&point| Circle::new(point, 4, style))).map_err(failed)?;
            if let Some((name, rounds, blocks)) = &curve.theirs {
                let place = (*rounds as f64, *blocks as f64);
                let square = EmptyElement::at(place)
                    + Rectangle::new([(-5, -5), (5, 5)], colour.stroke_width(2))
                    + Text::new(name.clone(), (9, -8), (FONT, 14));
                chart.draw_series([square]).map_err(failed)?;
            }
        }
        Ok(())
    }
}
