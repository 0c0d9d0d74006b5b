/** The style sheet of every page. Colours come in pairs for light and dark; meaning never rests on them. */
const colours = `
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#57606a;--page:#fff;--sheet:#f6f8fa;--line:#d0d7de;
--good:#116329;--bad:#b3131f;--doubt:#7d4e00;--quiet:#57606a;--link:#0550ae;
--good-wash:#eefbf1;--bad-wash:#fff1f0;--doubt-wash:#fff8e6}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9aa4af;--page:#0d1117;--sheet:#161b22;
--line:#30363d;--good:#56d364;--bad:#ff8f88;--doubt:#e3b341;--quiet:#9aa4af;--link:#79c0ff;
--good-wash:#0f2417;--bad-wash:#2d1416;--doubt-wash:#271f0c}}
`

const words = `
*{box-sizing:border-box}
body{margin:0 auto;padding:1.5rem 1rem 4rem;max-width:72rem;background:var(--page);color:var(--ink);
font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 .25rem}
h2{font-size:1.5rem;line-height:1.2;margin:0 0 .5rem}
h3{font-size:1.15rem;margin:2rem 0 .5rem;padding-bottom:.25rem;border-bottom:1px solid var(--line)}
h4{font-size:1rem;margin:0}
p{margin:.25rem 0 .5rem}
a{color:var(--link)}
ul,ol{padding-left:1.25rem;margin:.25rem 0}
code,pre{font:.85em/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{margin:.25rem 0 .75rem;padding:.75rem;background:var(--sheet);border:1px solid var(--line);border-radius:.4rem;
white-space:pre-wrap}
.command,dd>code:only-child{user-select:all;-webkit-user-select:all}
.soft{color:var(--soft)}
.good{color:var(--good)}.bad{color:var(--bad)}.doubt{color:var(--doubt)}.quiet{color:var(--quiet)}
.verdict{font-weight:600;white-space:nowrap}
.verdict::before{content:attr(data-sign) " ";content:attr(data-sign) " "/""}
.said{font-size:1.1rem}
.skip{position:absolute;left:-200vw;padding:.5rem 1rem;background:var(--page);border:2px solid var(--link)}
.skip:focus{left:1rem;top:1rem}
summary{cursor:pointer}
details{margin:.5rem 0}
:is(summary,a,.scroll):focus-visible{outline:2px solid var(--link);outline-offset:2px}
:target{background:var(--sheet);outline:2px solid var(--link);outline-offset:2px}
`

const first = `
.banner{margin:0 0 1rem;padding:.6rem 1rem;border:2px dashed var(--doubt);border-radius:.4rem;background:var(--doubt-wash)}
.eyebrow{color:var(--soft);margin:0}
.answers{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(min(20rem,100%),1fr));margin:1.25rem 0 1rem}
.answers>div{padding:.75rem 1.25rem 1rem;border:1px solid var(--line);border-left:.5rem solid;border-radius:.4rem}
.answers .good{border-left-color:var(--good);background:var(--good-wash)}
.answers .bad{border-left-color:var(--bad);background:var(--bad-wash)}
.answers .doubt{border-left-color:var(--doubt);background:var(--doubt-wash)}
.answers h2{margin:0;font-size:1rem;font-weight:400;color:var(--ink)}
.answers :is(p,ul,details){color:var(--ink)}
.answers .answer{display:block;margin:0 0 .25rem;font-size:2rem;line-height:1.25;font-weight:700;color:inherit}
.facts{display:grid;gap:1px;grid-template-columns:repeat(6,minmax(0,1fr));margin:1rem 0;
border:1px solid var(--line);border-radius:.4rem;overflow:hidden;background:var(--line)}
.facts.coverage{grid-template-columns:repeat(auto-fit,minmax(9rem,1fr))}.facts.coverage .verdict{font-size:1.6rem}
.facts>div{padding:.6rem .9rem;background:var(--page)}
.facts dd{margin:0;white-space:normal}.facts dd.soft{font-size:.85rem}
.facts dt{font-size:.85rem}
.facts .verdict{font-size:1.15rem;white-space:normal}
.facts a{text-decoration-color:var(--soft);text-underline-offset:.2em}
.lanes{list-style:none;padding:0;margin:1.5rem 0 0;display:grid;gap:1rem 2rem;
grid-template-columns:repeat(auto-fit,minmax(min(13rem,100%),1fr))}
.lanes ul{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.1rem 1rem}
.way{font-weight:600;font-size:1.1rem}
.part{margin-top:2rem}.part h2{font-size:1.25rem}
.lane{margin-top:3rem;padding-top:1.5rem;border-top:.25rem solid var(--line)}
.appendix{margin-top:3rem}
footer{margin-top:3rem;padding-top:1rem;border-top:1px solid var(--line)}
`

const parts = `
.card{margin:0 0 1rem;padding:.75rem 1rem;border:1px solid var(--line);border-radius:.4rem}
.card h3{margin:0;padding:0;border:0;font-size:1rem}
.pairs{margin:.5rem 0}.pairs>div{display:grid;grid-template-columns:7rem minmax(0,1fr);gap:.1rem .75rem;padding:.1rem 0}
.pairs.long>div{grid-template-columns:12rem minmax(0,1fr)}
dt{color:var(--soft)}dt .verdict{white-space:normal}dd{margin:0;min-width:0;white-space:pre-line}
.difference{padding:.5rem .75rem;background:var(--sheet);border-left:.25rem solid}
.difference dd{font-weight:600;color:var(--ink)}
.sequence{padding-left:1.75rem}.sequence li,.proof li{margin:.25rem 0}.sequence details,.proof details{margin:0}
.proof:not(.sequence){list-style:none;padding:0}
.card ul li{white-space:pre-wrap}
.decisive{color:var(--bad);white-space:nowrap}
figcaption{color:var(--soft);margin-bottom:.5rem}
.scroll{overflow-x:auto;margin:0 0 1rem}
table{width:100%;border-collapse:collapse;font-size:.92rem}
caption{text-align:left;color:var(--soft);padding:.25rem 0}
th,td{padding:.35rem .5rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
thead th{background:var(--sheet)}
tbody th{font-weight:400}
tfoot th,tfoot td{font-weight:600}
.numbers th,.numbers td{white-space:nowrap}
.numbers thead th,.numbers td:last-child,.numbers .verdict{white-space:normal;overflow-wrap:normal}
.numbers td,.numbers thead th:not(:first-child){text-align:right;font-variant-numeric:tabular-nums}
.clauses th,.clauses td{min-width:6rem}
`

/**
 * The part of the sheet that pictures need. Classes: `chart` on each picture, `chart-says` for the finding above it,
 * `chart-key` and `chart-sample` for what its signs mean, `chart-<piece>` for the pieces; tones are those of the page.
 * Shape distinguishes what colour does: solid, hollow, dashed, thin.
 */
const charts = `
figure{margin:1rem 0 1.5rem;max-width:45rem;break-inside:avoid}
.chart{display:block;overflow:visible;font:12px/1 system-ui,sans-serif;color:var(--ink)}
.chart svg{overflow:visible}
.chart text,.chart tspan{fill:currentColor;stroke:var(--page);stroke-width:3px;stroke-linejoin:round;paint-order:stroke}
.chart .middle{text-anchor:middle}.chart .end{text-anchor:end}
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
.chart-says{margin:0 0 .75rem}
.chart-key{list-style:none;margin:.5rem 0 0;padding:0;display:flex;flex-wrap:wrap;gap:.1rem 1.25rem;font-size:.85rem;
color:var(--soft)}
.chart-sample{display:inline-block;vertical-align:-1px;margin-right:.4rem;color:var(--ink)}
@media print{.chart{print-color-adjust:exact}}
`

/** Rows become cards, each cell with the name of its column; only numbers may scroll, in a frame of their own. */
const narrow = `
@media (max-width:64rem){.facts{grid-template-columns:repeat(3,minmax(0,1fr))}}
@media screen and (max-width:64rem){.named thead{position:absolute;clip-path:inset(50%);height:1px;overflow:hidden}
.named,.named tbody,.named tfoot,.named tr,.named th,.named caption{display:block}
.named tr{padding:.5rem 0;border-bottom:1px solid var(--line)}.named th{border:0;padding:.1rem 0}.named tbody th{font-weight:600}
.named td{display:inline-block;border:0;padding:.1rem .9rem .1rem 0}
.named td::before{content:attr(data-of) " ";color:var(--soft);font-weight:400}}
@media (max-width:40rem){.facts,.facts.coverage{grid-template-columns:repeat(2,minmax(0,1fr))}
.clauses thead{position:absolute;clip-path:inset(50%);height:1px;overflow:hidden}
.clauses,.clauses tbody,.clauses tr,.clauses th,.clauses td,.clauses caption{display:block;min-width:0}
.clauses tr{padding:.5rem 0;border-bottom:1px solid var(--line)}.clauses th,.clauses td{border:0;padding:.1rem 0}
.clauses td::before{content:attr(data-of) " ";color:var(--soft)}
.pairs>div,.pairs.long>div{grid-template-columns:minmax(0,1fr);padding:.25rem 0}
.answers .answer{font-size:1.6rem}
.sequence{padding-left:1.25rem}}
`

/**
 * A summary of two pages, then the appendix. Everything that is folded is open on paper but the checks that the gate
 * names, and the exchanges of what did not fail, which would be hundreds of sheets. Always in the colours of paper.
 */
const paper = `
@media print{
:root{color-scheme:light;--ink:#000;--soft:#444;--page:#fff;--sheet:#f6f8fa;--line:#bbb;--good:#116329;--bad:#b3131f;
--doubt:#7d4e00;--quiet:#444;--link:#0550ae;--good-wash:#fff;--bad-wash:#fff;--doubt-wash:#fff}
html{font-size:9pt}
body{max-width:none;padding:0}
.skip,nav{display:none}
.scroll{overflow:visible}.numbers{font-size:.85rem}tfoot{display:table-row-group}.numbers th,.numbers td{white-space:normal;padding:.2rem}
h2,h3,h4,summary,caption,figcaption{break-after:avoid}tr,dl>div,figure,.answers>div,.banner{break-inside:avoid}

.summary{display:flex;flex-direction:column}.summary>.part{order:1;break-before:page}.summary>.appendix{order:2}
.lane{border:0;margin:1rem 0 0;padding:0}.lane+.lane,.appendix{break-before:page}
.summary>.lane{margin:0}.summary>.lane h2{display:none}h3{margin-top:1rem}.facts{margin:.5rem 0}.facts>div{padding:.3rem .5rem}
.answers{margin:.5rem 0;gap:.5rem;grid-template-columns:1fr 1fr}.answers .answer{font-size:1.3rem}.banner{margin-bottom:.5rem;padding:.3rem .6rem}
.summary>.lane .numbers th,.summary>.lane .numbers td{padding:.05rem .2rem}.pairs.long>div{padding:0}
.summary>.lane tbody th :is(br,.soft){display:none}
header details::details-content{content-visibility:hidden;display:none}
main details::details-content{content-visibility:visible;display:block}
.proof details::details-content{content-visibility:hidden;display:none}}
`

export const style = colours + words + first + parts + charts + narrow + paper

/** What pages of a server have besides. */
export const servedStyle = `
.filters{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:end;margin:1rem 0}.filters label{display:grid;color:var(--soft)}
.filters :is(input,select,button){font:inherit;color:inherit;background:var(--sheet);border:1px solid var(--line);border-radius:.3rem;padding:.25rem .5rem;max-width:100%}
`

/** The only script, of pages of a server: a button beside each command copies it. */
export const servedScript = `for (const one of document.querySelectorAll('.command,dd>code:only-child')) {
  if (!one.textContent.includes(' ')) continue
  const button = document.createElement('button')
  button.textContent = 'Copy'
  button.onclick = async () => {
    await navigator.clipboard.writeText(one.textContent)
    button.textContent = 'Copied'
  }
  one.after(' ', button)
}`
