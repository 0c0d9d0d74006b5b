/** What a finding is about, in words: a clause, or a question that the contract leaves open. */
import { clauses, clauseText, contractIdentifiers, contractWords, gaps } from '../../spec/index.ts'
import type { ClauseId, Gap } from '../../spec/index.ts'

export interface SubjectText {
  text: string
  /** Section and row of the contract. */
  source: string
  /** The same with the phrases that decide it. */
  words: string
}

const isClause = (id: string): id is ClauseId => Object.hasOwn(clauses, id)
const openQuestions: ReadonlyMap<string, Gap> = new Map(Object.entries(gaps))

/**
 * Words and place of a subject, with the identifiers of the service. A record may be older than the catalogue, so an id
 * may be unknown.
 */
export function subjectOf(id: string, identifiers = contractIdentifiers): SubjectText {
  if (isClause(id)) {
    const { source } = clauses[id]
    return { text: clauseText(id, identifiers), source, words: contractWords(clauses[id]) }
  }
  const gap = openQuestions.get(id)
  if (gap) return { text: gap.question, source: gap.source, words: gap.source }
  return { text: 'This id is not in the catalogue of this version.', source: 'unknown', words: 'unknown' }
}
