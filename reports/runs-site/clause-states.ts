/** What a run says of a clause, in one character: a site keeps hundreds of them for each of thousands of runs. */
import { clauseIds } from '../../spec/index.ts'
import type { ClauseId } from '../../spec/index.ts'
import type { RunRecord } from '../bundle/record.ts'
import { clauseRows, type ClauseRow } from '../verdicts/clause-verdicts.ts'
import { verdictWords, type Tone } from '../verdicts/verdicts.ts'

interface StateWords {
  sign: string
  word: string
  tone: Tone
  /** How it is drawn: failures stand taller, and what says less is drawn thinner. */
  height: number
  kind: string
}

const solid = { height: 8, kind: 'chart-solid' }
const hollow = { height: 10, kind: 'chart-hollow' }
const waivedFailure = { ...verdictWords.fail, word: 'fail, waived' }

/** `-`: the run planned no check of the clause, or its clause set does not have it. */
export const clauseStates = {
  p: { ...verdictWords.pass, ...solid },
  f: { ...verdictWords.fail, height: 18, kind: 'chart-solid' },
  v: { ...waivedFailure, height: 18, kind: 'chart-hollow' },
  w: { ...verdictWords.warn, height: 14, kind: 'chart-solid' },
  e: { ...verdictWords.error, ...hollow },
  i: { ...verdictWords.inconclusive, ...hollow },
  n: { ...verdictWords['not-exercised'], height: 8, kind: 'chart-dashed' },
  a: { ...verdictWords['not-applicable'], height: 2, kind: 'chart-solid' },
  o: { ...verdictWords.observed, height: 4, kind: 'chart-hollow' },
  '-': { sign: ' ', word: 'not planned', tone: 'quiet', height: 0, kind: 'chart-hollow' },
} as const satisfies Record<string, StateWords>

export type ClauseState = keyof typeof clauseStates

const codes = {
  pass: 'p',
  fail: 'f',
  warn: 'w',
  error: 'e',
  inconclusive: 'i',
  'not-exercised': 'n',
  'not-applicable': 'a',
  observed: 'o',
  'not-planned': '-',
  'not-covered': '-',
} as const satisfies Record<ClauseRow['verdict'], ClauseState>

/** One character for each clause, in the order of the catalogue. */
export function clauseStatesOf(record: RunRecord): string {
  const rows = new Map(clauseRows({ record, journal: [] }).map((row) => [row.clause, row]))
  return clauseIds.map((clause) => stateIn(rows.get(clause))).join('')
}

function stateIn(row: ClauseRow | undefined): ClauseState {
  if (row === undefined || !row.counts) return '-'
  const failing = row.findings.filter(({ verdict }) => verdict === 'fail')
  return failing.length > 0 && failing.every(({ waived }) => waived) ? 'v' : codes[row.verdict]
}

const places: ReadonlyMap<string, number> = new Map(clauseIds.map((clause, index) => [clause, index]))

export function stateOf(states: string, clause: ClauseId): ClauseState {
  return (states[places.get(clause) ?? -1] ?? '-') as ClauseState
}
