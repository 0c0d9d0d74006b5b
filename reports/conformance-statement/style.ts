/** What the statement has beside the style sheet of all pages, for paper. */
export const statementStyle = `
@media print{header details::details-content{content-visibility:visible;display:block}}
`
