//! Violated transactions over rounds of refinement, accumulated, by engine: RegionTrack's Figures 8 and 9, a small plot
//! for each subject that takes several rounds.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::{COLOURS, Drawn, FONT, Legend, Picture, labelled};

/// A subject: for each engine, the transactions after each round.
pub(super) struct Plot {
    pub(super) name: String,
    pub(super) curves: Vec<Vec<f64>>,
}

/// The whole picture.
pub(super) struct Accumulated {
    pub(super) engines: Vec<String>,
    pub(super) plots: Vec<Plot>,
}

/// The height above the plots, for title and legend.
const TOP: u32 = 76;
const COLUMNS: u32 = 3;
const WIDTH: u32 = 1100;
const HEIGHT: u32 = 230;
/// The width of the first engine's line, and the decrease for each line drawn over it.
const THICK: u32 = 6;
const THINNER: u32 = 2;

impl Accumulated {
    /// Lines that coincide are distinguished by their width.
    fn style(at: usize) -> ShapeStyle {
        let thinner = THINNER * u32::try_from(at).unwrap_or(0);
        COLOURS[at % COLOURS.len()].stroke_width(THICK.saturating_sub(thinner).max(1))
    }

    fn plot<B: DrawingBackend>(plot: &Plot, area: &DrawingArea<B, Shift>) -> Drawn {
        let failed = |e: DrawingAreaErrorKind<B::ErrorType>| e.to_string();
        let rounds = plot.curves.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let most = plot.curves.iter().flatten().copied().fold(1.0, f64::max);
        let mut chart = ChartBuilder::on(area)
            .caption(&plot.name, (FONT, 16))
            .x_label_area_size(36)
            .y_label_area_size(58)
            .margin_right(16)
            .margin_bottom(6)
            .build_cartesian_2d(0.5..rounds as f64 + 0.5, 0.0..most * 1.1)
            .map_err(failed)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_labels(rounds.min(8))
            .y_labels(5)
            .x_desc("round")
            .x_label_formatter(&|round| format!("{round:.0}"))
            .y_label_formatter(&|sum| labelled(*sum))
            .label_style((FONT, 13))
            .draw()
            .map_err(failed)?;
        for (at, sums) in plot.curves.iter().enumerate() {
            let points: Vec<(f64, f64)> = (1..).zip(sums).map(|(round, &sum)| (f64::from(round), sum)).collect();
            let style = Accumulated::style(at);
            chart.draw_series(LineSeries::new(points.clone(), style)).map_err(failed)?;
            let dot = |&point| Circle::new(point, style.stroke_width / 2 + 2, style.color.filled());
            chart.draw_series(points.iter().map(dot)).map_err(failed)?;
        }
        Ok(())
    }
}

impl Picture for Accumulated {
    fn size(&self) -> (u32, u32) {
        (WIDTH, TOP + HEIGHT * u32::try_from(self.plots.len()).unwrap_or(1).div_ceil(COLUMNS))
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Drawn {
        let title = "Violated transactions of all rounds so far, by round of refinement: means of a subject's traces";
        area.draw(&Text::new(title, (16, 12), (FONT, 19))).map_err(|e| e.to_string())?;
        let mut legend = Legend::new(WIDTH, 52);
        for (at, name) in self.engines.iter().enumerate() {
            let (x, y) = legend.place(area, name)?;
            let line = PathElement::new(vec![(x - 8, y), (x + 6, y)], Accumulated::style(at));
            area.draw(&line).map_err(|e| e.to_string())?;
        }
        let (_, plots) = area.split_vertically(TOP);
        let rows = self.plots.len().div_ceil(COLUMNS as usize);
        for (plot, area) in self.plots.iter().zip(plots.split_evenly((rows, COLUMNS as usize))) {
            Accumulated::plot(plot, &area)?;
        }
        Ok(())
    }
}
