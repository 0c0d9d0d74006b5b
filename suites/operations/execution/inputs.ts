/** Random inputs from the schemas of discovery: valid ones are accepted, and a single defect has no effect. */
import * as fc from 'fast-check'
import { scenario, type Driver } from '../../scenario/scenario.ts'
import type { Profile, OperationFixture } from '../../config/target.ts'
import { all, every, given, inconclusive, softened } from '../../scenario/expect.ts'
import {
  mostLeftOut,
  certainExchanges,
  certainly,
  ofSame,
  sendCertain,
  type CertainNames,
  type Drawing,
} from '../assertions/input-certain.ts'
import { isRefusedAs, notRefusedAsInvalid, reverted } from '../assertions/input-refusal.ts'
import { isObject } from '../../../spec/json.ts'
import type { Discovered } from '../assertions/pointers/pointer-discovery.ts'
import { isGoing, neverCompleted, reaches } from '../assertions/receipt.ts'
import { inputDefects, unknownMember, type InputDefect } from '../assertions/schema/schema-defects.ts'
import { inputs, resolvedSchema, inputEdges } from '../assertions/schema/schema-input.ts'
import type { Exchange, Json } from '../../wire/exchange.ts'
import { discovered } from '../access/discovered.ts'

/** The number of operations with random inputs: those with most members. */
const operations = 2
/** The most requests for shrinking a counterexample. */
const shrinks = 6

/** The declared operations that complete and are listed, those with most members first. */
function chosen<N extends string>(
  t: Driver<N>,
  shown: readonly Discovered[],
  writes: boolean,
): readonly Drawing[] {
  const fitting = t.operations.filter(
    ({ write = false, receipt }) => write === writes && receipt === 'completed',
  )
  const drawings = fitting.flatMap((operation) => {
    const found = shown.find(({ id }) => id === operation.id)
    return found && widthOf(found.schema) > 0 ? [{ operation, schema: found.schema }] : []
  })
  if (drawings.length === 0)
    t.stop('no declared operation that completes is listed with a schema of members; nothing can be drawn')
  return drawings.toSorted((a, b) => widthOf(b.schema) - widthOf(a.schema)).slice(0, operations)
}

function widthOf(schema: Json | undefined): number {
  const properties = resolvedSchema(schema, isObject(schema) ? schema : {})?.['properties']
  return isObject(properties) ? Object.keys(properties).length : 0
}

type Sent = CertainNames | `${'accepted' | 'invalid' | 'drawn' | 'shrunk' | 'base' | 'bad'}[]`

/** Sends valid inputs until one is refused as invalid, then shrinks it. */
async function draw(t: Driver<Sent>, drawing: Drawing, runs: number, most: number): Promise<void> {
  const { operation, schema } = drawing
  const known = t.inputOf(operation)
  const arbitrary = inputs(schema, known)
  const [defect] = inputDefects(schema, known)
  const accepted = await t.executeMore('accepted', operation, { input: known })
  if (!arbitrary || !defect || !isGoing(accepted)) return
  const invalid = await t.executeMore('invalid', operation, { input: defect.input })
  await sendCertain(t, drawing, known, invalid)
  const edges = inputEdges(schema, known).slice(0, most)
  const sample = fc.sample(arbitrary, { seed: t.pick(2 ** 31), numRuns: runs })
  for (const input of [...edges, ...sample]) {
    const one = await t.executeMore('drawn', operation, { input })
    if (isRefusedAs(invalid, one)) return shrink(t, operation, input, known, invalid)
  }
}

/** Reverts member after member to the accepted input, as long as it is still refused. */
async function shrink(
  t: Driver<Sent>,
  operation: OperationFixture,
  refused: Json,
  known: Json,
  invalid: Exchange,
): Promise<void> {
  let smallest = refused
  for (const name of Object.keys(isObject(refused) ? { ...refused, ...Object(known) } : {}).slice(
    0,
    shrinks,
  )) {
    const input = reverted(smallest, known, name)
    if (input === null) continue
    const one = await t.executeMore('shrunk', operation, { input })
    if (isRefusedAs(invalid, one)) smallest = input
  }
}

const undrawn =
  'nothing was drawn: a declared input was not accepted, or its schema has keywords that are not understood'

/** A value of another type, or an unknown member: a service that validates one input by its schema refuses these in all. */
const isOfType = (kind: string): boolean => / for a |^with a member/.test(kind)

/** The defect without its place. */
const kindOf = ({ what }: InputDefect): string => what.replace(/^(?:the input|\S+) /, '')

/** Sends a complete input, or else the declared one, and then each single defect of it that is not in `tried`. */
async function spoil(
  t: Driver<Sent>,
  { operation, schema }: Drawing,
  most: number,
  tried: Set<string>,
): Promise<void> {
  const known = t.inputOf(operation)
  const full = inputs(schema, known, true)
  const [whole] = full ? fc.sample(full, { seed: t.pick(2 ** 31), numRuns: 1 }) : []
  let base = whole ?? known
  if (!isGoing(await t.executeMore('base', operation, { input: base }))) {
    base = known
    if (!isGoing(await t.executeMore('base', operation, { input: base }))) return
  }
  const defects = inputDefects(schema, base).filter((defect) => !tried.has(kindOf(defect)))
  const from = t.pick(Math.max(defects.length, 1))
  const times = new Map<string, number>()
  // One of each kind before a second one of any.
  const ranked = [...defects.slice(from), ...defects.slice(0, from)].map((defect) => {
    const kind = kindOf(defect).replace(/^without .*/, 'without')
    const rank = times.get(kind) ?? 0
    times.set(kind, rank + 1)
    return { defect, rank }
  })
  for (const { defect } of ranked.toSorted((one, other) => one.rank - other.rank).slice(0, most)) {
    const { id } = await t.executeMore('bad', operation, { input: defect.input })
    t.note(`defect of ${id}`, defect.what)
  }
  for (const kind of defects.map(kindOf).filter(isOfType)) tried.add(kind)
}

interface InputExtent {
  /** Random inputs that fit, inputs at limits of the schema, and single defects, of each operation. */
  runs: number
  edges: number
  defects: number
}

const inputsScenario = (writes: boolean, { runs, edges, defects }: InputExtent, profile: Profile) =>
  scenario({
    title: `any input that fits the schema of a ${writes ? 'write' : 'read'} is taken, over ${runs}, and none with a single defect completes, over ${defects}`,
    exchanges: [
      'list',
      'accepted[]',
      'invalid[]',
      ...certainExchanges,
      'drawn[]',
      'shrunk[]',
      'base[]',
      'bad[]',
    ],
    needs: { operation: { receipt: 'completed', write: writes } },
    cost: { requests: 4 + operations * (7 + mostLeftOut + edges + runs + shrinks + defects), turns: 0 },
    profile,
    async run(t) {
      const tried = new Set<string>()
      for (const drawing of chosen(t, await discovered(t, 'list'), writes)) {
        await draw(t, drawing, runs, edges)
        await spoil(t, drawing, defects, tried)
      }
    },
    judge: {
      'EXEC-INPUT': (
        { accepted, invalid, worded, bare, whole, without, drawn: sent, shrunk },
        { dialect },
      ) => {
        if (sent.length === 0) return inconclusive(undrawn)
        const certain = { worded, bare, whole, without }
        const drawnOnes = every(sent, (one) =>
          notRefusedAsInvalid(one, {
            accepted: accepted.find(ofSame(one)),
            invalid: invalid.find(ofSame(one)),
            shrunk: shrunk.filter(ofSame(one)),
            keyAt: dialect.execution?.key,
          }),
        )
        const sure = accepted.map((one) => certainly(one, invalid.find(ofSame(one)), certain))
        return all(drawnOnes, ...sure.filter(({ is }) => is === 'warn'))
      },
      'EXEC-INPUT-INVALID': ({ base, bad }, { notes }) =>
        bad.length === 0
          ? inconclusive('no input was accepted that could be spoilt')
          : every(bad, (one) => {
              // The last one sent before the defects is the one that they differ from.
              const twin = base.findLast(ofSame(one))
              const defect = String(notes[`defect of ${one.id}`] ?? 'a defect')
              const judged = neverCompleted(one, `an input that is wrong in one thing: ${defect}`)
              return given(twin ? reaches(twin, 'completed') : inconclusive('nothing was accepted'), () =>
                defect.endsWith(unknownMember) ? softened(judged) : judged,
              )
            }),
    },
  })

export const reads = inputsScenario(false, { runs: 1, edges: 4, defects: 6 }, 'standard')
export const writes = inputsScenario(true, { runs: 1, edges: 4, defects: 14 }, 'standard')
export const manyReads = inputsScenario(false, { runs: 40, edges: 12, defects: 12 }, 'exhaustive')
export const manyWrites = inputsScenario(true, { runs: 40, edges: 12, defects: 30 }, 'exhaustive')
