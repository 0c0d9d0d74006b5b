/** The style sheet of the page. Colours come in pairs for light and dark; meaning never rests on them. */
export const style = `
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#57606a;--page:#fff;--sheet:#f6f8fa;--line:#d0d7de;
--good:#116329;--bad:#b3131f;--doubt:#7d4e00;--quiet:#57606a;--link:#0550ae}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9aa4af;--page:#0d1117;--sheet:#161b22;
--line:#30363d;--good:#56d364;--bad:#ff7b72;--doubt:#e3b341;--quiet:#9aa4af;--link:#79c0ff}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1.5rem 1rem 4rem;max-width:72rem;background:var(--page);color:var(--ink);
font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.2;margin:0 0 .5rem}
h2{font-size:1.2rem;margin:2.5rem 0 .75rem;padding-bottom:.25rem;border-bottom:1px solid var(--line)}
h3{font-size:1rem;margin:0}
p{margin:.25rem 0 .5rem}
a{color:var(--link)}
ul{padding-left:1.25rem;margin:.25rem 0}
code,pre{font:.85em/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{margin:.5rem 0;padding:.75rem;background:var(--sheet);border:1px solid var(--line);border-radius:.4rem;
white-space:pre-wrap;max-height:28rem;overflow:auto}
.soft{color:var(--soft)}
.good{color:var(--good)}.bad{color:var(--bad)}.doubt{color:var(--doubt)}.quiet{color:var(--quiet)}
.verdict{font-weight:600;white-space:nowrap}
.banner{margin:0 0 1.5rem;padding:.75rem 1rem;border:2px dashed var(--doubt);border-radius:.4rem}
.answers{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(min(18rem,100%),1fr));margin:1rem 0}
.answers>div{padding:.75rem 1rem;border:1px solid var(--line);border-left-width:.4rem;border-radius:.4rem}
.answers .good{border-left-color:var(--good)}.answers .bad{border-left-color:var(--bad)}
.answers .doubt{border-left-color:var(--doubt)}
.answers>div{color:var(--ink)}.answers h2{margin:0;padding:0;border:0;font-size:.9rem;font-weight:400;color:var(--soft)}
.answers strong{display:block;font-size:1.15rem}
.card{margin:0 0 1rem;padding:.75rem 1rem;border:1px solid var(--line);border-radius:.4rem}
.card dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem .75rem;margin:.5rem 0}
dt{color:var(--soft)}dd{margin:0;min-width:0;white-space:pre-wrap}
.scroll{overflow-x:auto}
table{width:100%;border-collapse:collapse;font-size:.92rem}
caption{text-align:left;color:var(--soft);padding:.25rem 0}
th,td{padding:.35rem .5rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
thead th{background:var(--sheet)}
tbody th{font-weight:400}
tfoot th,tfoot td{font-weight:600}
.numbers th,.numbers td{white-space:nowrap}
.numbers td,.numbers thead th:not(:first-child){text-align:right;font-variant-numeric:tabular-nums}
.clauses th,.clauses td{min-width:7rem}
details{margin:.5rem 0}
summary{cursor:pointer}
summary:focus-visible,a:focus-visible,.scroll:focus-visible{outline:2px solid var(--link);outline-offset:2px}
@media (max-width:40rem){.clauses thead{position:absolute;clip-path:inset(50%);height:1px;overflow:hidden}
.clauses,.clauses tbody,.clauses tr,.clauses th,.clauses td,.clauses caption{display:block;min-width:0}
.clauses tr{padding:.5rem 0;border-bottom:1px solid var(--line)}.clauses th,.clauses td{border:0;padding:.1rem 0}}
@media print{body{max-width:none;padding:0;font-size:10pt}pre{max-height:none;overflow:visible}
.scroll{overflow:visible}h2,h3,summary{break-after:avoid}tr,dl{break-inside:avoid}
details::details-content{content-visibility:visible;display:block}}
`
