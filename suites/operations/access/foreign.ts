/** What a key of another account reads of a task, or an approval. */
import type { Driver, Judgement } from '../../scenario/scenario.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { given, inconclusive } from '../../scenario/expect.ts'
import { answersJson } from '../assertions/catalogue.ts'
import { refusedExecution } from '../assertions/receipt.ts'

export const foreignReads = ['strangerList', 'stranger', 'own'] as const

type ForeignRead = (typeof foreignReads)[number]

/** After the owner has read it: a cached response must not reach another key. */
export async function readAsStranger(t: Driver<ForeignRead>, path: string): Promise<void> {
  await t.optional(foreignReads, async () => {
    await t.discover('strangerList', { as: 'stranger' })
    await t.read('stranger', path, { as: 'stranger' })
    await t.read('own', path)
  })
}

export function notForStrangers(
  { strangerList, stranger, own }: Readonly<Record<ForeignRead, Exchange>>,
  what: string,
): Judgement {
  return given(answersJson(own), () =>
    strangerList.response?.status === 401
      ? inconclusive('the key of the other account is not valid')
      : refusedExecution(stranger, what),
  )
}
