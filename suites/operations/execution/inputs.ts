/** Random inputs from the schemas of discovery: valid ones are accepted, and a single defect has no effect. */
import * as fc from 'fast-check'
import { scenario, type Driver } from '../../scenario/scenario.ts'
import type { Profile } from '../../config/target.ts'
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
import { canonical } from '../../assertions/reply.ts'
import { discovered } from '../access/discovered.ts'

const operations = 2
const shrinks = 6

/** The declared operations that complete and are listed: the reads, then the writes, with most members. */
function chosen<N extends string>(t: Driver<N>, shown: readonly Discovered[]): readonly Drawing[] {
  const drawings = t.operations.flatMap((operation) => {
    const found = shown.find(({ id }) => id === operation.id)
    const isFit = operation.receipt === 'completed' && found && widthOf(found.schema) > 0
    return isFit ? [{ operation, schema: found.schema }] : []
  })
  if (drawings.length === 0)
    t.stop('no declared operation that completes is listed with a schema of members; nothing can be drawn')
  const widest = drawings.toSorted((a, b) => widthOf(b.schema) - widthOf(a.schema))
  return [false, true].flatMap((writes) =>
    widest.filter(({ operation: { write = false } }) => write === writes).slice(0, operations),
  )
}

function widthOf(schema: Json | undefined): number {
  const properties = resolvedSchema(schema, isObject(schema) ? schema : {})?.['properties']
  return isObject(properties) ? Object.keys(properties).length : 0
}

type Sent = CertainNames | `${'accepted' | 'invalid' | 'drawn' | 'shrunk' | 'full' | 'bad'}[]`

const undrawn =
  'nothing was drawn: a declared input was not accepted, or its schema has keywords that are not understood'

const kindOf = ({ what }: InputDefect): string => what.replace(/^(?:the input|\S+) /, '')

/** One of each kind before a second one of any, from a random place on. */
function inTurns(defects: readonly InputDefect[], { pick }: Pick<Driver, 'pick'>): readonly InputDefect[] {
  const from = pick(Math.max(defects.length, 1))
  const kinds = Map.groupBy([...defects.slice(from), ...defects.slice(0, from)], (defect) =>
    kindOf(defect).replace(/^without .*/, 'without'),
  )
  const ranked = [...kinds.values()].flatMap((same) => same.map((defect, rank) => ({ defect, rank })))
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ defect }) => defect)
}

interface InputExtent {
  /** Random inputs that fit, inputs at limits of the schema, and single defects, of each operation. */
  runs: number
  edges: number
  defects: number
}

/**
 * Sends valid inputs until one is refused as invalid, then shrinks it; a complete input; and each single defect of
 * this, or else of the declared one, that is not in `tried`.
 */
async function draw(
  t: Driver<Sent>,
  drawing: Drawing,
  { runs, edges, defects: most }: InputExtent,
  tried: Set<string>,
): Promise<void> {
  const { operation, schema } = drawing
  const known = t.inputOf(operation)
  const [some, full] = [inputs(schema, known), inputs(schema, known, true)]
  const [first] = inputDefects(schema, known)
  const accepted = await t.executeMore('accepted', operation, { input: known })
  if (!some || !full || !first || !isGoing(accepted)) return
  const spoil = async (name: 'invalid' | 'bad', defect: InputDefect): Promise<Exchange> => {
    const sent = await t.executeMore(name, operation, { input: defect.input })
    t.note(`defect of ${sent.id}`, defect.what)
    // A value of another type, or an unknown member: a service that validates one input by its schema refuses these in all.
    if (/ for a |^with a member/.test(kindOf(defect))) tried.add(kindOf(defect))
    return sent
  }
  const invalid = await spoil('invalid', first)
  await sendCertain(t, drawing, known, invalid)
  const send = async (name: 'drawn' | 'full', input: Json): Promise<Exchange> => {
    const sent = await t.executeMore(name, operation, { input })
    if (!isRefusedAs(invalid, sent)) return sent
    // Reverts member after member to the accepted input, as long as it is still refused.
    let smallest = input
    const names = Object.keys(isObject(input) ? { ...input, ...Object(known) } : {})
    for (const member of names.slice(0, shrinks)) {
      const tried = reverted(smallest, known, member)
      if (tried === null) continue
      if (isRefusedAs(invalid, await t.executeMore('shrunk', operation, { input: tried }))) smallest = tried
    }
    return sent
  }
  const others = inputEdges(schema, known).filter((input) => canonical(input) !== canonical(known))
  const [whole = known, ...sample] = [
    ...fc.sample(full, { seed: t.pick(2 ** 31), numRuns: 1 }),
    ...fc.sample(some, { seed: t.pick(2 ** 31), numRuns: runs }),
  ]
  for (const input of [...others.slice(0, edges), ...sample])
    if (isRefusedAs(invalid, await send('drawn', input))) break
  const base = isGoing(await send('full', whole)) ? whole : known
  const defects = inputDefects(schema, base).filter((defect) => !tried.has(kindOf(defect)))
  for (const defect of inTurns(defects, t).slice(0, most)) await spoil('bad', defect)
}

const inputsScenario = (extent: InputExtent, profile: Profile) =>
  scenario({
    title: `any input that fits the schema of an operation is taken, over ${extent.runs + 1}, and none with a single defect completes, over ${extent.defects}`,
    exchanges: [
      'list',
      'accepted[]',
      'invalid[]',
      ...certainExchanges,
      'drawn[]',
      'shrunk[]',
      'full[]',
      'bad[]',
    ],
    needs: { operation: { receipt: 'completed' } },
    cost: {
      requests:
        4 + 2 * operations * (6 + mostLeftOut + extent.edges + extent.runs + 2 * shrinks + extent.defects),
      turns: 0,
    },
    profile,
    async run(t) {
      const tried = new Set<string>()
      // Writes are sent where they are allowed.
      for (const drawing of chosen(t, await discovered(t, 'list')))
        await t.optional(['accepted'], () => draw(t, drawing, extent, tried))
    },
    judge: {
      'EXEC-INPUT': (
        { accepted, invalid, worded, bare, whole, without, drawn, full, shrunk },
        { dialect },
      ) => {
        const sent = [...drawn, ...full]
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
      'EXEC-INPUT-INVALID': ({ accepted, full, invalid, bad }, { notes }) =>
        invalid.length === 0
          ? inconclusive('no input was accepted that could be spoilt')
          : every([...invalid, ...bad], (one) => {
              // The last one that was taken is the one that they differ from.
              const twin = [...accepted, ...full].filter(ofSame(one)).findLast(isGoing)
              const defect = String(notes[`defect of ${one.id}`] ?? 'a defect')
              const judged = neverCompleted(one, `an input that is wrong in one thing: ${defect}`)
              return given(twin ? reaches(twin, 'completed') : inconclusive('nothing was accepted'), () =>
                defect.endsWith(unknownMember) ? softened(judged) : judged,
              )
            }),
    },
  })

export const some = inputsScenario({ runs: 0, edges: 4, defects: 8 }, 'standard')
export const many = inputsScenario({ runs: 40, edges: 12, defects: 30 }, 'exhaustive')
