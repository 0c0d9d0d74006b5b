/** What a finding is about, in words: a clause, or a question that the contract leaves open. */
import { clauses, gaps } from '../spec/index.ts'
import type { Gap } from '../spec/index.ts'

export interface Subject {
  text: string
  /** Section and row of the contract. */
  source: string
}

const openQuestions: Readonly<Record<string, Gap>> = gaps

/** Words and place of a subject. A record may be older than the catalogue, so an id may be unknown. */
export function subjectOf(id: string): Subject {
  const row = Object.entries(clauses).find(([clause]) => clause === id)?.[1]
  if (row) return { text: row.text, source: row.source }
  const gap = openQuestions[id]
  if (gap) return { text: gap.question, source: gap.source }
  return { text: 'This id is not in the catalogue of this version.', source: 'unknown' }
}
