/** What can be switched on by name, and what is on. */
import { api, bodyOf, type Schemas } from '../state/api.ts'
import { inTenant } from '../state/tenant.ts'

export type Kind = 'faults' | 'variants'

export interface Switch {
  readonly kind: Kind
  readonly name: string
  readonly text: string
  readonly clauses: readonly string[]
}

export type Question = Schemas['ReadingCatalogue']['gaps'][number]

export interface Catalogue {
  readonly switches: readonly Switch[]
  readonly questions: readonly Question[]
}

export async function readCatalogue(): Promise<Catalogue> {
  const [{ faults }, { variants }, { gaps }] = await Promise.all([
    bodyOf(api.GET('/_sim/v1/faults')),
    bodyOf(api.GET('/_sim/v1/variants')),
    bodyOf(api.GET('/_sim/v1/interpretations')),
  ])
  return {
    switches: [
      ...faults.map(({ name, text, breaks }) => ({ kind: 'faults' as const, name, text, clauses: breaks })),
      ...variants.map(({ name, text }) => ({ kind: 'variants' as const, name, text, clauses: [] })),
    ],
    questions: gaps,
  }
}

/** As docs/simulate.md has them, with the check that finds each. */
const first = [
  'replay-unmarked',
  'messages-compared-by-length',
  'chat-scope-ignored',
  'token-after-done',
  'done-without-credits',
  'stale-button-accepted',
  'shortage-charged',
  'accepted-begun-again',
  'rejected-runs',
  'retries-unsigned',
]

/** By the beginning of the first clause that a fault breaks. */
const areas: Readonly<Record<string, readonly string[]>> = {
  'Idempotency keys and replays': ['IDEM'],
  'Messages and replies': ['REQ', 'RES', 'CONV', 'FLOW', 'PAUSE'],
  Streams: ['SSE'],
  'Keys, limits and errors': ['AUTH', 'RATE', 'ERR', 'CRED', 'SCOPE', 'PLAN'],
  'Operations, tasks and approvals': ['OPS', 'EXEC', 'RCPT', 'TASK', 'APPR', 'UPL', 'BILL'],
  'Webhook management': ['HOOK', 'LOG'],
  'Webhook deliveries': ['EVT', 'DLV', 'ATT', 'SIGN', 'TGT'],
  'Older variant of chat': ['OLD'],
}

function groupOf({ kind, clauses: [clause = ''] }: Switch): string {
  if (kind === 'variants') return 'Variants: unusual, but conforming'
  const area = clause.split('-')[0] ?? ''
  return Object.keys(areas).find((title) => areas[title]?.includes(area)) ?? 'Other'
}

export const groupsOf = (all: readonly Switch[]): readonly [title: string, rows: readonly Switch[]][] => [
  [
    'Ten faults to try first',
    first.flatMap((name) => all.find((one) => one.kind === 'faults' && one.name === name) ?? []),
  ],
  ...Map.groupBy(all, groupOf),
]

export interface Chosen {
  readonly faults: readonly string[]
  readonly variants: readonly string[]
  readonly interpretations: Readonly<Record<string, string>>
}

export const choose = ({ faults, variants, interpretations }: Partial<Chosen>): Promise<unknown> =>
  api.PATCH('/_sim/v1/tenants/{tenantId}', {
    ...inTenant(),
    body: {
      ...(faults && { faults: [...faults] }),
      ...(variants && { variants: [...variants] }),
      ...(interpretations && { interpretations: { ...interpretations } }),
    },
  })

/** Interpretations that are not the first of their question, which is the default. */
export const unusual = (
  questions: readonly Question[],
  interpretations: Chosen['interpretations'],
): Chosen['interpretations'] =>
  Object.fromEntries(
    questions.flatMap(({ id, interpretations: all }) => {
      const chosen = interpretations[id]
      return chosen === undefined || chosen === Object.keys(all)[0] ? [] : [[id, chosen]]
    }),
  )

const names = (text: string | null): readonly string[] =>
  (text ?? '').split(',').filter((name) => name !== '')

/** What the query of a link asks for; null where it asks for nothing. */
export function chosenIn(query: URLSearchParams): Chosen | null {
  if (!['faults', 'variants', 'interpretations'].some((name) => query.has(name))) return null
  return {
    faults: names(query.get('faults')),
    variants: names(query.get('variants')),
    interpretations: Object.fromEntries(
      names(query.get('interpretations')).map((pair) => pair.split('=', 2) as [string, string]),
    ),
  }
}

export function queryWith({ faults, variants, interpretations }: Chosen): string {
  const query = new URLSearchParams({
    faults: faults.join(),
    variants: variants.join(),
    interpretations: Object.entries(interpretations)
      .map((pair) => pair.join('='))
      .join(),
  })
  return query.toString()
}
