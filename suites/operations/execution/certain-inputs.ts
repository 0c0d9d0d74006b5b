/** Sends inputs that certainly fit, beside random ones: in another script, and without optional members. */
import * as fc from 'fast-check'
import type { Judgement } from '../../scenario/judgement.ts'
import type { Driver } from '../../scenario/driver.ts'
import type { Json } from '../../wire/json.ts'
import { all, given } from '../../scenario/expect.ts'
import {
  bareInput,
  withoutOptional,
  optionalLeftOut,
  withWord,
  wordTaken,
  type OmittedMembers,
} from '../assertions/input-certain.ts'
import { isRefusedAs } from '../assertions/input-refusal.ts'
import { reaches } from '../assertions/receipt.ts'
import { inputs } from '../assertions/schema/schema-input.ts'
import type { OperationFixture } from '../../config/target.ts'
import type { Exchange } from '../../wire/exchange.ts'

export const certainExchanges = ['worded[]', 'bare[]', 'whole[]', 'without[]'] as const
export type CertainNames = (typeof certainExchanges)[number]

/** An operation with random inputs, as discovery shows it. */
export interface Drawing {
  operation: OperationFixture
  schema: Json | undefined
}

/** Letters beyond ASCII, of two and of three bytes. */
const otherLetters = 'Zoë 東京'

/** Sends the certain inputs; omits single members only if the input without all of them was refused. */
export async function sendCertain(
  t: Driver<CertainNames>,
  { operation, schema }: Drawing,
  known: Json,
  invalid: Exchange,
): Promise<void> {
  const worded = withWord(operation, schema, known, `${otherLetters} ${t.uuid().slice(0, 8)}`)
  if (worded !== null) await t.executeMore('worded', operation, { input: worded })
  const bare = bareInput(schema, known)
  if (bare === null) return
  const answer = await t.executeMore('bare', operation, { input: bare })
  const full = inputs(schema, known, true)
  if (!full || !isRefusedAs(invalid, answer)) return
  const [drawn] = fc.sample(full, { seed: t.pick(2 ** 31), numRuns: 1 })
  const whole = { ...Object(drawn), ...Object(known) } as Json
  await t.executeMore('whole', operation, { input: whole })
  for (const input of withoutOptional(schema, whole)) await t.executeMore('without', operation, { input })
}

/** Whether another input was sent to the same operation. */
export const ofSame =
  (one: Exchange) =>
  (other: Exchange): boolean =>
    other.request.path === one.request.path

type Certain = OmittedMembers & { worded: readonly Exchange[] }

/** Given an input of the same operation that was completed. */
export function certainly(accepted: Exchange, invalid: Exchange | undefined, sent: Certain): Judgement {
  const own = (list: readonly Exchange[]) => list.filter(ofSame(accepted))
  const leftOut = { bare: own(sent.bare), whole: own(sent.whole), without: own(sent.without) }
  return given(reaches(accepted, 'completed'), () =>
    all(wordTaken(own(sent.worded), invalid), optionalLeftOut(leftOut, invalid)),
  )
}
