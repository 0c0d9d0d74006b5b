/** The two files that are written last, over all the others of a run. */
export const manifestFile = 'manifest.json'
export const statementFile = 'statement.dsse.json'
/** What `certify` signs: digests of the run and of the files that are handed over. */
export const testResultFile = 'test-result.dsse.json'
