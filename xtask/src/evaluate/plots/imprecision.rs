//! By method, the share of its violated transactions that an engine misses, and the share of the transactions blamed by
//! an engine that are not violated: RegionTrack's Figure 10. Methods are ordered by that share.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::{COLOURS, Drawn, FONT, Picture};

/// One of the two.
pub(super) struct Rates {
    pub(super) title: String,
    /// By method, between 0 and 1, the smallest first.
    pub(super) rates: Vec<f64>,
}

/// The whole picture.
pub(super) struct Imprecision {
    pub(super) plots: Vec<Rates>,
}

/// The height above the plots.
const TOP: u32 = 44;

impl Imprecision {
    fn plot<B: DrawingBackend>(colour: RGBColor, plot: &Rates, area: &DrawingArea<B, Shift>) -> Drawn {
        let failed = |e: DrawingAreaErrorKind<B::ErrorType>| e.to_string();
        let least = plot.rates.first().copied().unwrap_or(0.0).min(0.0);
        let mut chart = ChartBuilder::on(area)
            .caption(&plot.title, (FONT, 16))
            .x_label_area_size(46)
            .y_label_area_size(64)
            .margin_left(16)
            .margin_right(24)
            .build_cartesian_2d(0.0..plot.rates.len() as f64 + 1.0, least * 105.0 - 3.0..103.0)
            .map_err(failed)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_labels(8)
            .x_label_formatter(&|number| format!("{number:.0}"))
            .y_label_formatter(&|percent| format!("{percent:.0} %"))
            .x_desc("methods, in the order of their rates")
            .y_desc("rate")
            .label_style((FONT, 14))
            .axis_desc_style((FONT, 15))
            .draw()
            .map_err(failed)?;
        let points = (1..).zip(&plot.rates).map(|(number, rate)| (f64::from(number), rate * 100.0));
        chart.draw_series(points.map(|point| Circle::new(point, 3, colour.filled()))).map(drop).map_err(failed)
    }
}

impl Picture for Imprecision {
    fn size(&self) -> (u32, u32) {
        (1100, 460)
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Drawn {
        let title = "Imprecision by method: violated transactions of all rounds and traces";
        area.draw(&Text::new(title, (16, 12), (FONT, 20))).map_err(|e| e.to_string())?;
        let (_, plots) = area.split_vertically(TOP);
        // The first colour is that of the exact engine in the other pictures.
        let areas = plots.split_evenly((1, self.plots.len().max(1)));
        for ((plot, area), colour) in self.plots.iter().zip(areas).zip(COLOURS.into_iter().skip(1)) {
            Imprecision::plot(colour, plot, &area)?;
        }
        Ok(())
    }
}
