/** What a finding is about, in words: a clause, or a question that the contract leaves open. */
import { clauses, clauseText, contractIdentifiers, contractWords, gaps, ownText } from '../../spec/index.ts'
import type { ClauseId, Gap } from '../../spec/index.ts'
import type { RunRecord } from '../bundle/record.ts'

export interface SubjectText {
  text: string
  /** Section and row of the contract. */
  source: string
  /** The same with the phrases that decide it. */
  words: string
}

const isClause = (id: string): id is ClauseId => Object.hasOwn(clauses, id)
const openQuestions: ReadonlyMap<string, Gap> = new Map(Object.entries(gaps))

/** Of a run: its clause set may have words of its own, and its target identifiers. */
export interface SubjectContext {
  contract?: RunRecord['contract']
  target?: Pick<RunRecord['target'], 'identifiers'>
}

/** Words and place of a subject. A record may be older than the catalogue, so an id may be unknown. */
export function subjectOf(id: string, { contract, target }: SubjectContext = {}): SubjectText {
  if (isClause(id)) {
    const { source } = clauses[id]
    const own = contract && ownText(contract, id)
    const words = contractWords(clauses[id])
    if (own !== undefined)
      return { text: own, source, words: `${words}; in the words of ${contract?.revision}` }
    return { text: clauseText(id, target?.identifiers ?? contractIdentifiers), source, words }
  }
  const gap = openQuestions.get(id)
  if (gap) return { text: gap.question, source: gap.source, words: gap.source }
  return { text: 'This id is not in the catalogue of this version.', source: 'unknown', words: 'unknown' }
}
