/**
 * The part of the sheet that pictures need. Classes: `chart` on each picture, `chart-says` for the finding above it,
 * `chart-key` and `chart-sample` for what its signs mean, `chart-<piece>` for the pieces; tones are those of the page.
 * Shape distinguishes what colour does: solid, hollow, dashed, thin.
 */
export const chartStyle = `
figure{margin:1rem 0 1.5rem;max-width:45rem;break-inside:avoid}
.chart{display:block;overflow:visible;font:12px/1 system-ui,sans-serif;color:var(--ink)}
.chart svg{overflow:visible}
.chart text,.chart tspan{fill:currentColor;stroke:var(--page);stroke-width:3px;stroke-linejoin:round;paint-order:stroke}
.chart .middle{text-anchor:middle}.chart .end{text-anchor:end}
.chart .strong{font-weight:600}
.chart .sign{font-size:14px;font-weight:600}
.chart-solid{fill:currentColor;stroke:currentColor;stroke-width:1}
.chart-hollow{fill:none;stroke:currentColor;stroke-width:1.5}
.chart-dashed{fill:none;stroke:currentColor;stroke-width:1.5;stroke-dasharray:2 2}
.chart-grid,.chart-base{stroke:var(--line);stroke-width:1;vector-effect:non-scaling-stroke}
.chart-base{stroke:var(--soft)}
.chart-limit{stroke:var(--bad);stroke-width:1.5;stroke-dasharray:7 4}
.chart-line,.chart-line-2,.chart-line-3,.chart-line-4{fill:none;stroke:currentColor;stroke-width:1.75;
vector-effect:non-scaling-stroke}
.chart-line{color:var(--link)}
.chart-line-2{color:var(--doubt);stroke-dasharray:6 3}
.chart-line-3{color:var(--good);stroke-dasharray:2 2}
.chart-line-4{color:var(--quiet);stroke-dasharray:9 3 2 3}
.chart-tick{stroke:currentColor;stroke-width:1.5}
.chart-bytes,.chart-event{fill:none;stroke:currentColor;stroke-width:2;vector-effect:non-scaling-stroke}
.chart-bytes{color:var(--link)}
.chart-wait{fill:none;stroke:var(--bad);stroke-width:4;opacity:.6;vector-effect:non-scaling-stroke}
.chart-says{margin:0 0 .75rem}
.chart-key{list-style:none;margin:.5rem 0 0;padding:0;display:flex;flex-wrap:wrap;gap:.1rem 1.25rem;font-size:.85rem;
color:var(--soft)}
.chart-sample{display:inline-block;vertical-align:-1px;margin-right:.4rem;color:var(--ink)}
@media print{.chart{print-color-adjust:exact}}
`
