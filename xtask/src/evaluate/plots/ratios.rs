//! Ratios by subject, on a logarithmic axis: a full dot is ours, with its confidence interval, a ring is the paper's.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{COLOURS, Drawn, FONT, Legend, Picture, labelled};

/// One figure of one configuration.
pub(super) struct Mark {
    pub(super) series: usize,
    pub(super) value: f64,
    pub(super) interval: (f64, f64),
    pub(super) is_ours: bool,
}

/// The whole picture.
pub(super) struct Ratios {
    pub(super) title: String,
    /// The configurations, by colour.
    pub(super) series: Vec<String>,
    /// By subject, from the top.
    pub(super) rows: Vec<(String, Vec<Mark>)>,
}

/// The height above the axes, for title and legend.
const TOP: u32 = 96;
/// The height below the axes, for labels and the name of the axis.
const BOTTOM: u32 = 60;
/// The height of a configuration's dot in a row, and the gap between rows.
const LANE: u32 = 9;
const GAP: u32 = 9;

impl Ratios {
    fn colour(series: usize) -> RGBColor {
        COLOURS[series % COLOURS.len()]
    }

    /// A dot or a ring.
    fn style(series: usize, is_ours: bool) -> ShapeStyle {
        let colour = Ratios::colour(series);
        if is_ours { colour.filled() } else { colour.stroke_width(2) }
    }

    /// Returns the range of the axis, which includes 1.
    fn range(&self) -> (f64, f64) {
        let values =
            self.rows.iter().flat_map(|(_, marks)| marks.iter().flat_map(|mark| [mark.interval.0, mark.interval.1]));
        let (least, most) = values.fold((1.0_f64, 1.0_f64), |(least, most), value| (least.min(value), most.max(value)));
        (least * 0.9, most * 1.15)
    }

    /// Returns 1, 2, 5, 10 and so on, as far as they are on the axis.
    fn ticks((least, most): (f64, f64)) -> Vec<f64> {
        let powers = (-2..6).map(|power| 10.0_f64.powi(power));
        powers
            .flat_map(|power| [power, 2.0 * power, 5.0 * power])
            .filter(|tick| (least..=most).contains(tick))
            .collect()
    }

    fn legend<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Drawn {
        let mut legend = Legend::new(self.size().0, 50);
        for (at, name) in self.series.iter().enumerate() {
            let centre = legend.place(area, name)?;
            let mut marks = self.rows.iter().flat_map(|(_, marks)| marks).filter(|mark| mark.series == at);
            let style = Ratios::style(at, marks.any(|mark| mark.is_ours));
            area.draw(&Circle::new(centre, 4, style)).map_err(|e| e.to_string())?;
        }
        if self.rows.iter().any(|(_, marks)| marks.iter().any(|mark| !mark.is_ours)) {
            let centre = legend.place(
                area,
                "ring: the paper's figure for that engine, and for the subject in parentheses if it has another name",
            )?;
            area.draw(&Circle::new(centre, 4, BLACK.stroke_width(1))).map_err(|e| e.to_string())?;
        }
        Ok(())
    }
}

impl Picture for Ratios {
    fn size(&self) -> (u32, u32) {
        let row = u32::try_from(self.series.len()).unwrap_or(1) * LANE + GAP;
        (1100, TOP + BOTTOM + u32::try_from(self.rows.len()).unwrap_or(1) * row.max(22))
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Drawn {
        let failed = |e: DrawingAreaErrorKind<B::ErrorType>| e.to_string();
        area.draw(&Text::new(self.title.clone(), (16, 14), (FONT, 20))).map_err(failed)?;
        self.legend(area)?;
        let (_, plot) = area.split_vertically(TOP);
        let rows = self.rows.len() as f64;
        let (least, most) = self.range();
        let mut chart = ChartBuilder::on(&plot)
            .x_label_area_size(BOTTOM - 10)
            .y_label_area_size(190)
            .margin_right(24)
            .build_cartesian_2d((least..most).log_scale(), rows..0.0)
            .map_err(failed)?;
        // The axes are drawn by hand: names are beside the middle of their rows, and a logarithmic axis has no other
        // place for labels.
        let label =
            |chart: &mut ChartContext<'_, B, _>, text: String, at: (f64, f64), offset: (i32, i32), anchor: Pos| {
                let style = (FONT, 15).into_text_style(area).pos(anchor);
                chart.draw_series(std::iter::once(EmptyElement::at(at) + Text::new(text, offset, style))).map(drop)
            };
        for (row, (name, _)) in self.rows.iter().enumerate() {
            let anchor = Pos::new(HPos::Right, VPos::Center);
            label(&mut chart, name.clone(), (least, row as f64 + 0.5), (-8, 0), anchor).map_err(failed)?;
        }
        let below = Pos::new(HPos::Center, VPos::Top);
        for tick in Ratios::ticks((least, most)) {
            label(&mut chart, labelled(tick), (tick, rows), (0, 6), below).map_err(failed)?;
        }
        let middle = ((least.ln() + most.ln()) / 2.0).exp();
        let axis = "ratio to a run without the agent, logarithmic".to_owned();
        label(&mut chart, axis, (middle, rows), (0, 28), below).map_err(failed)?;
        let line = |chart: &mut ChartContext<'_, B, _>, points: Vec<(f64, f64)>, style: ShapeStyle| {
            chart.draw_series(std::iter::once(PathElement::new(points, style))).map(drop)
        };
        for tick in Ratios::ticks((least, most)) {
            line(&mut chart, vec![(tick, 0.0), (tick, rows)], RGBColor(225, 225, 225).stroke_width(1))
                .map_err(failed)?;
        }
        for row in 0..=self.rows.len() {
            line(&mut chart, vec![(least, row as f64), (most, row as f64)], RGBColor(225, 225, 225).stroke_width(1))
                .map_err(failed)?;
        }
        line(&mut chart, vec![(1.0, 0.0), (1.0, rows)], BLACK.stroke_width(1)).map_err(failed)?;
        for (row, (_, marks)) in self.rows.iter().enumerate() {
            for mark in marks {
                let lane = (mark.series as f64 + 1.0) / (self.series.len() as f64 + 1.0);
                let (y, colour) = (row as f64 + lane, Ratios::colour(mark.series));
                let style = Ratios::style(mark.series, mark.is_ours);
                chart.draw_series([Circle::new((mark.value, y), 4, style)]).map_err(failed)?;
                let (from, to) = mark.interval;
                if from < to {
                    line(&mut chart, vec![(from, y), (to, y)], colour.stroke_width(2)).map_err(failed)?;
                }
            }
        }
        Ok(())
    }
}
