/** What the statement has beside the style sheet of all pages, for a phone and for paper. */
export const statementStyle = `
@media screen and (max-width:40rem){.numbers thead{position:absolute;clip-path:inset(50%);height:1px;overflow:hidden}
.numbers,.numbers tbody,.numbers tfoot,.numbers tr,.numbers th,.numbers caption{display:block}
.numbers tr{padding:.5rem 0;border-bottom:1px solid var(--line)}.numbers th{border:0;padding:.1rem 0}.numbers tbody th{font-weight:600}
.numbers td{display:inline-block;border:0;padding:.1rem .9rem .1rem 0}
.numbers td::before{content:attr(data-of) " ";color:var(--soft);font-weight:400}.numbers td:last-child::before{content:none}}
@media print{header details::details-content{content-visibility:visible;display:block}}
`
