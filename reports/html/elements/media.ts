/** What is different on a phone and on paper. */

/** Rows become cards, each cell with the name of its column; only numbers may scroll, in a frame of their own. */
export const narrow = `
@media (max-width:64rem){.facts{grid-template-columns:repeat(3,minmax(0,1fr))}}
@media screen and (max-width:64rem){.named thead{position:absolute;clip-path:inset(50%);height:1px;overflow:hidden}
.named,.named tbody,.named tfoot,.named tr,.named th,.named caption{display:block}
.named tr{padding:.5rem 0;border-bottom:1px solid var(--line)}.named th{border:0;padding:.1rem 0}.named tbody th{font-weight:600}
.named td{display:inline-block;border:0;padding:.1rem .9rem .1rem 0}
.named td::before{content:attr(data-of) " ";color:var(--soft);font-weight:400}.named td:last-child::before{content:none}}
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
export const paper = `
@media print{
:root{color-scheme:light;--ink:#000;--soft:#444;--page:#fff;--sheet:#f6f8fa;--line:#bbb;--good:#116329;--bad:#b3131f;
--doubt:#7d4e00;--quiet:#444;--link:#0550ae;--good-wash:#fff;--bad-wash:#fff;--doubt-wash:#fff}
html{font-size:9pt}
body{max-width:none;padding:0}
.skip,nav{display:none}
.scroll{overflow:visible}.numbers{font-size:.85rem}tfoot{display:table-row-group}.numbers th,.numbers td{white-space:normal;padding:.2rem}
h2,h3,h4,summary,caption,figcaption{break-after:avoid}tr,dl>div,figure,.answers>div,.banner{break-inside:avoid}
.lane{border:0;margin:1rem 0 0;padding:0}.lane+.lane,.appendix{break-before:page}
#main>.lane{margin:0}#main>.lane h2{display:none}h3{margin-top:1rem}.facts{margin:.5rem 0}.facts>div{padding:.3rem .5rem}
.answers{margin:.5rem 0;gap:.5rem;grid-template-columns:1fr 1fr}.answers .answer{font-size:1.3rem}.banner{margin-bottom:.5rem;padding:.3rem .6rem}
#main>.lane .numbers th,#main>.lane .numbers td{padding:.05rem .2rem}.pairs.long>div{padding:0}
#main>.lane tbody th :is(br,.soft){display:none}
header details::details-content{content-visibility:hidden;display:none}
main details::details-content{content-visibility:visible;display:block}
.proof details::details-content{content-visibility:hidden;display:none}}
`
