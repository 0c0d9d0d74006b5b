/** The two files that are written last, over all the others of a run. */
export const manifestFile = 'manifest.json'
export const statementFile = 'statement.dsse.json'
