/** What a finding is about, in words: a clause, or a question that the contract leaves open. */
import { clauses, contractWords, gaps } from '../spec/index.ts'
import type { Clause, Gap } from '../spec/index.ts'

export interface Subject {
  text: string
  /** Section and row of the contract. */
  source: string
  /** The same with the phrases that decide it. */
  words: string
}

const rows: ReadonlyMap<string, Clause> = new Map(Object.entries(clauses))
const openQuestions: ReadonlyMap<string, Gap> = new Map(Object.entries(gaps))

/** Words and place of a subject. A record may be older than the catalogue, so an id may be unknown. */
export function subjectOf(id: string): Subject {
  const row = rows.get(id)
  if (row) return { text: row.text, source: row.source, words: contractWords(row) }
  const gap = openQuestions.get(id)
  if (gap) return { text: gap.question, source: gap.source, words: gap.source }
  return { text: 'This id is not in the catalogue of this version.', source: 'unknown', words: 'unknown' }
}
