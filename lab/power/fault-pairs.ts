/** Pairs of faults that break something in different areas, as a seed draws them. */
import { createHash } from 'node:crypto'
import { areaOf } from '../../spec/index.ts'
import type { Fault } from '../../simulator/modification/modification.ts'
import { faults, type FaultId } from '../../simulator/index.ts'

const rows: Readonly<Record<FaultId, Fault>> = faults

/** With these some others cannot be tested: what they break is what scenarios of other areas begin with. */
const hiding: ReadonlySet<FaultId> = new Set<FaultId>([
  // Nothing is delivered to our own receiver.
  'localhost-needs-https',
  // No webhook can be made whose id and secret are known, or none of its deliveries can be distinguished from a test.
  'created-without-secret',
  'created-id-as-number',
  'created-within-data',
  'samples-with-live-ids',
  // No answer, or no amount in one, can be read.
  'new-conversation-as-201',
  'credits-as-text',
  'error-as-html',
  // A part of what it breaks shows in the exhaustive profile alone.
  'longest-message-refused',
  // No stream begins a conversation of its own.
  'stream-joins-last-conversation',
])

/** What shows now and then, and what takes a machine or interpretations of its own, is no subject of combining. */
const plain = (Object.keys(rows) as FaultId[]).filter(
  (id) =>
    !hiding.has(id) && !('chance' in rows[id] || 'machine' in rows[id] || 'interpretations' in rows[id]),
)

const areasOf = ({ breaks }: Fault): ReadonlySet<string> =>
  new Set(breaks.map((id) => (areaOf as Readonly<Record<string, string>>)[id] ?? id))

export type Pair = readonly [FaultId, FaultId]

/** Ranked by a digest: a new fault takes the place of few pairs, and changes no other. */
export function drawPairs(seed: number, count: number): readonly Pair[] {
  const pairs = plain.flatMap((one, at) =>
    plain
      .slice(at + 1)
      .filter((other) => areasOf(rows[one]).isDisjointFrom(areasOf(rows[other])))
      .map((other) => ({ pair: [one, other] as const, rank: rankOf(`${seed} ${one} ${other}`) })),
  )
  return pairs
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
    .map(({ pair }) => pair)
}

const rankOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** What both break together, each once. */
export function brokenBy(pair: Pair): readonly string[] {
  return [...new Set(pair.flatMap((id) => rows[id].breaks))].sort()
}
