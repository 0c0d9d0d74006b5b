/**
 * What the contract does not show may be called anything. Four servers that agree with the simulator on as little
 * as they may are judged by searches alone; with what they call things declared, in simulator-conforms.test.ts.
 */
import { describe, expect, test } from 'vitest'
import type { VariantId } from '../../simulator/index.ts'
import { defaultInterpretations, gapAreas, type Interpretations } from '../../spec/index.ts'
import { chatScenarios, type Target } from '../../suites/index.ts'
import { redClauses, simulatedRun, troubles } from '../simulated-run.ts'

const { chat } = gapAreas
type Chat = Pick<Interpretations, keyof typeof chat>

/** For every gap one of the interpretations that are not the simulator's own, in turn from `first` on. */
function foreign(first: number): Partial<Chat> {
  return Object.fromEntries(
    Object.entries(chat).flatMap(([gap, { interpretations }]) => {
      const own = defaultInterpretations[gap as keyof Chat]
      const others = Object.keys(interpretations).filter((interpretation) => interpretation !== own)
      const interpretation = others[first % others.length]
      return interpretation === undefined ? [] : [[gap, interpretation]]
    }),
  )
}

/** These gaps are read as the simulator reads them. */
function alike(...gaps: readonly (keyof Chat)[]): Partial<Chat> {
  return Object.fromEntries(gaps.map((gap) => [gap, defaultInterpretations[gap]]))
}

interface Foreigner {
  interpretations: Partial<Chat>
  variants: readonly VariantId[]
}

const foreigners: Readonly<Record<string, Foreigner>> = {
  'first others, reversed members, capitals, comments in streams': {
    interpretations: foreign(0),
    variants: [
      'members-reversed',
      'upper-case-headers',
      'crlf-lines',
      'comments-between',
      'event-and-id-lines',
      'diagnostic-members',
      'loud-stream-type',
    ],
  },
  'second others, sorted members, lower case, unknown events': {
    interpretations: foreign(1),
    variants: [
      'members-sorted',
      'lower-case-headers',
      'cr-lines',
      'unknown-events',
      'events-with-more-members',
      'vendor-json-type',
      'talkative-errors',
      'retry-in-fractions',
      'byte-by-byte',
    ],
  },
  'third others, escapes, indents, further headers, closed connections': {
    interpretations: foreign(2),
    variants: [
      'ascii-json',
      'indented-json',
      'further-headers',
      'connection-closed',
      'bare-json-type',
      'bare-stream-type',
      'token-per-character',
      'opening-comment',
      'conversations-in-capitals',
      'shortage-half-known',
    ],
  },
  'own presentations, other codes, slow, buffered, without tokens': {
    interpretations: {
      ...foreign(1),
      ...alike('GAP-PRESENTATION-SHAPE', 'GAP-KEY-SCOPE', 'GAP-REPLAY-MODE', 'GAP-CLIENT-GONE', 'GAP-FORGED'),
      'GAP-ERROR-CODE-MEMBER': 'code',
      'GAP-CUSTOMER-MESSAGE': 'object',
    },
    variants: [
      'slow-turns',
      'buffered-stream',
      'no-tokens',
      'retry-line',
      'more-blank-lines',
      'keep-alive',
      'credits-in-thousandths',
      'diagnostic-members',
      'talkative-errors',
    ],
  },
}

/** What cannot be known of a server, whatever it declares, because of what it does. */
const noTokens = 'inconclusive: the stream had no tokens and `done`'
const unknowable: Partial<Record<VariantId, readonly string[]>> = {
  // Tokens that do not come cannot be joined.
  'no-tokens': [`message-values/some/SSE-TOKENS-JOIN: ${noTokens}`],
}

/** Nothing of what it calls things is declared. */
const searchedFor = (target: Target): Target => ({ ...target, dialect: {} })

describe('a server that calls and does everything else differently is not faulted', () => {
  test.concurrent.for(Object.entries(foreigners))('%s', async ([, { interpretations, variants }]) => {
    const options = { interpretations, variants, vendor: 'acme-corp' }
    const run = await simulatedRun(options, { scenarios: chatScenarios }, searchedFor)
    const unknown = variants.flatMap((variant) => unknowable[variant] ?? [])
    expect(troubles(run)).toEqual(unknown)
  })
})

describe('a log of webhooks that is laid out differently is not faulted', () => {
  const only = ['log/*']

  test.concurrent.for<Partial<Interpretations>>([
    { 'GAP-LOG-FIELDS': 'camel', 'GAP-LOG-LIST': 'bare', 'GAP-LOG-GRAIN': 'attempt' },
    { 'GAP-LOG-FIELDS': 'snake', 'GAP-LOG-LIST': 'bare', 'GAP-LOG-GRAIN': 'delivery' },
    { 'GAP-LOG-FIELDS': 'camel', 'GAP-LOG-LIST': 'logs', 'GAP-TEST-RETRY': 'once' },
  ])('%o', async (interpretations) => {
    const run = await simulatedRun({ interpretations, vendor: 'acme' }, { only }, searchedFor)
    expect(troubles(run)).toEqual([])
  })
})

describe('what a target declares is taken at its word', () => {
  const only = ['chat-errors/*', 'idempotency-conflict/*', 'RATE-HEADERS', 'log/live']

  test.concurrent.for([
    ['the member of a code', { errorCode: '/elsewhere' }, 'IDEM-CONFLICT-CODE'],
    ['the names of the rate headers', { rateHeaders: ['x-elsewhere'] }, 'RATE-HEADERS'],
    ['where a log has its entries', { log: { entries: '/elsewhere' } }, 'LOG-READ'],
    ['where an entry has the status', { log: { status: '/elsewhere' } }, 'LOG-STATUS'],
  ] as const)('%s', async ([, dialect, clause]) => {
    const run = await simulatedRun({}, { only }, (target) => ({ ...target, dialect }))
    expect(redClauses(run)).toContain(clause)
  })
})
