/** Verdicts and answers as a page shows them: always a word and a sign, never a colour alone. */
import type { VerdictWords } from '../../../reports/verdicts/verdicts.ts'
import type { Fact, Words } from '../../../spec/types/show.ts'

/** Without what only a terminal needs. */
export const shownWords = ({ sign, word, tone, means }: VerdictWords): Words => ({ sign, word, tone, means })

/** Those that have a value. */
export const shownFacts = (facts: Readonly<Record<string, string | undefined | null>>): Fact[] =>
  Object.entries(facts).flatMap(([name, value]) => (value ? [{ name, value }] : []))
