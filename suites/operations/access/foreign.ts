/** What nobody may read: a task or an approval of another account, or one that there is not. */
import type { Driver, Judgement } from '../../scenario/scenario.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { given, inconclusive } from '../../scenario/expect.ts'
import { answersJson } from '../assertions/catalogue.ts'
import { refusedExecution } from '../assertions/receipt.ts'

export const foreignReads = ['strangerList', 'stranger', 'own'] as const

type ForeignRead = (typeof foreignReads)[number]

/** After the owner has read it: a cached response must not reach another key. Whether a refused key is valid its list shows. */
export async function readAsStranger(t: Driver<ForeignRead>, path: string): Promise<void> {
  await t.optional(foreignReads, async () => {
    const { response } = await t.read('stranger', path, { as: 'stranger' })
    if (response?.status === 401) await t.discover('strangerList', { as: 'stranger' })
    await t.read('own', path)
  })
}

export function notForStrangers(reads: Readonly<Record<ForeignRead, Exchange>>, what: string): Judgement {
  const { stranger } = reads
  return given(answersJson(reads.own), () =>
    stranger.response?.status === 401 && reads.strangerList.response?.status === 401
      ? inconclusive('the key of the other account is not valid')
      : refusedExecution(stranger, what),
  )
}

/** An alphanumeric part of at least this length is not sequential. */
const opaque = 12

/**
 * Changes one character in the middle of the longest part of an existing id to another of its kind, since prefixes
 * and the spare bits of a last character may not count. A short or numeric id may be sequential, so nine digits are
 * appended instead.
 */
export function unusedIdLike({ pick }: Pick<Driver, 'pick'>, id: string): string {
  const runs = [...id.matchAll(/[A-Za-z0-9]+/g)].sort((one, other) => other[0].length - one[0].length)
  const [run] = runs
  if (!run || run[0].length < opaque || /^\d+$/.test(run[0])) return `${id}${900_000_000 + pick(99_999_999)}`
  const middle = run.index + Math.floor(run[0].length / 2) + pick(3) - 1
  const character = id.charAt(middle)
  const kind = kinds.find((letters) => letters.includes(character)) ?? '01'
  const others = kind.replace(character, '')
  return `${id.slice(0, middle)}${others.charAt(pick(others.length))}${id.slice(middle + 1)}`
}

/** Letters used in hexadecimal digits stay hexadecimal. */
const kinds = ['0123456789', 'abcdef', 'ABCDEF', 'ghijklmnopqrstuvwxyz', 'GHIJKLMNOPQRSTUVWXYZ']
