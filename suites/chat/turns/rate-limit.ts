/**
 * The rate limit of one API key. Sixty a minute can be counted in several ways; only their common part is judged:
 * requests more than a second apart are always allowed, more than 120 in a minute never.
 */
import { scenario, type ChatRequest, type Driver, type Judgement } from '../../scenario/scenario.ts'
import { refusedByJson, status, unmarked } from '../../assertions/answer.ts'
import { all, every, given, inconclusive, observed, measured } from '../../scenario/expect.ts'
import { replayed, taken } from '../../assertions/once.ts'
import {
  isLimited,
  limitedAtLast,
  longestWaitSeconds,
  neverLimited,
  noneThrough,
  notLimited,
  recovers,
  retryAfterSeconds,
} from '../assertions/rate.ts'
import { replied } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'

const sacrificial = { kind: 'sacrificial' } as const
/** So that earlier requests with this key no longer count. */
const aMinuteLater = 61_000

/** Waits as long as a 429 asks, and a second more: seconds may have been rounded. */
async function waitAsAsked(t: Pick<Driver, 'wait' | 'stop'>, limited: Exchange): Promise<void> {
  const seconds = retryAfterSeconds(limited)
  if (seconds === null) return t.stop('the 429 does not say how long to wait')
  if (seconds > longestWaitSeconds)
    return t.stop(`the 429 asks to wait for ${seconds} s, and at most ${longestWaitSeconds} are waited for`)
  await t.wait((seconds + 1) * 1000)
}

/** A token bucket may admit one more; after that it is empty, and the next try reaches the limit. */
const tries = 3
/** More than any way of counting admits while they are sent. */
const atOnce = 4
const is429 = (one: Exchange): Judgement => status(one, 429)
const last = (list: readonly Exchange[], judge: (one: Exchange) => Judgement): Judgement =>
  every(list.slice(-1), judge)

type Looks = Driver<'limited[]' | 'neighbour[]' | 'streamed[]' | 'elsewhere[]'>
const besides = ['streamed', 'elsewhere'] as const
type Beside = (typeof besides)[number]

const asked = (beside: Beside, t: Looks): ChatRequest => ({
  message: t.text(40),
  ...(beside === 'streamed' ? { stream: true } : { agent: t.secondAgent }),
})
const asOften = (beside: Beside, t: Looks): readonly ChatRequest[] =>
  Array.from({ length: atOnce }, () => asked(beside, t))

/** Records the limited responses of the key, another key, and requests accepted although the key was refused before. */
async function lookAround(t: Looks) {
  const limited = await t.add('limited', { message: t.text(40) })
  await t.add('neighbour', { message: t.text(40), as: 'neighbour' })
  const streamed = await t.add('streamed', asked('streamed', t))
  const elsewhere = t.secondAgent === '' ? null : await t.add('elsewhere', asked('elsewhere', t))
  const others = { streamed, elsewhere } as const satisfies Readonly<Record<Beside, Exchange | null>>
  const through = besides.find((beside) => others[beside] && replied(others[beside]).is === 'pass') ?? null
  return { limited, streamed, through }
}

export const limited = scenario({
  title: 'a key over its rate receives the time to wait, and may then send the same request',
  exchanges: ['before', 'limited[]', 'neighbour[]', 'streamed[]', 'elsewhere[]', 'recovered'],
  needs: { enters: ['rate.limited'], principal: sacrificial, others: { neighbour: { kind: 'ordinary' } } },
  cost: { requests: 4 + 4 * tries + 2 * atOnce, turns: 4 + 4 * tries + 2 * atOnce },
  async run(t) {
    // The own rate of the other key may require a wait: now rather than while the first key is limited.
    await t.chat('before', { message: t.text(40), as: 'neighbour' })
    await t.enter('rate.limited')
    for (let left = tries; left > 0; left--) {
      const { limited, streamed, through } = await lookAround(t)
      if (left === tries && through !== null) {
        // One may be accepted when the key becomes available; several between two refusals may not.
        // As many plain ones show whether the key is refused altogether, or only by some of several counters.
        await t.together(
          'limited',
          Array.from({ length: atOnce }, () => ({ message: t.text(40) })),
        )
        await t.add('limited', { message: t.text(40) })
        await t.together(through, asOften(through, t))
        continue
      }
      if (left > 1 && !(isLimited(limited) && isLimited(streamed))) continue
      await waitAsAsked(t, isLimited(streamed) ? streamed : limited)
      await t.resend('recovered', limited)
      return
    }
  },
  judge: {
    'RATE-STREAM-JSON': ({ before, limited, streamed }) =>
      given(all(replied(before), last(limited, is429)), () =>
        all(
          noneThrough(limited, streamed),
          last(streamed, (one) =>
            replied(one).is === 'pass'
              ? inconclusive('the key was not limited any more')
              : all(is429(one), refusedByJson(one)),
          ),
        ),
      ),
    // Limited before and after: the other key was used while the limit applied.
    'RATE-PER-KEY': ({ before, limited, neighbour, streamed, elsewhere }) =>
      given(replied(before), () =>
        all(
          given(all(last(limited, is429), last(streamed, is429)), () => last(neighbour, notLimited)),
          noneThrough(limited, elsewhere),
        ),
      ),
    'RATE-RECOVERS': ({ limited, recovered }) => given(last(limited, is429), () => recovers(recovered)),
    'RATE-KEY-USABLE': ({ limited, recovered }) => given(last(limited, is429), () => taken(recovered)),
    // The refused request has not run: there is nothing to replay yet.
    'IDEM-FRESH-UNMARKED': ({ limited, recovered }) =>
      given(all(last(limited, is429), replied(recovered)), () => unmarked(recovered)),
  },
})

/** Requests at least a second apart on any clock are always allowed; where they are quick, the last is the sixtieth of a minute. */
const [steady, paceMs] = [59, 1_002] as const

export const lower = scenario({
  title: 'a key that sends requests more than a second apart is never limited',
  exchanges: ['first', 'steady[]'],
  needs: { principal: sacrificial, optIn: ['slow'] },
  cost: { requests: 1 + steady, turns: 6 },
  async run(t) {
    await t.wait(aMinuteLater)
    const first = await t.chat('first', { message: t.text(40) })
    for (let sent = 1; sent <= steady; sent++) {
      await t.wait(paceMs)
      if (sent % 11 === 0) await t.add('steady', { message: t.text(40) })
      else await t.resendTo('steady', first)
    }
  },
  judge: {
    'RATE-LOWER': ({ first, steady }) => neverLimited([first, ...steady]),
  },
})

/** Together they exceed a hundred and twenty; the first suffices where `lower` has just used up a window that slides. */
const bursts = [4, 30, 30, 30, 30] as const
const most = bursts.reduce<number>((sum, burst) => sum + burst, 0)

export const upper = scenario({
  title: 'more than 120 turns of one key within a minute cause a 429',
  exchanges: ['first[]', 'flood[]'],
  needs: { principal: sacrificial, optIn: ['costly'] },
  cost: { requests: 2 + most, turns: 2 + most },
  async run(t) {
    await t.wait(paceMs)
    if (isLimited(await t.add('first', { message: t.text(40) }))) {
      await t.wait(aMinuteLater)
      await t.add('first', { message: t.text(40) })
    }
    for (const burst of bursts) {
      const requests = Array.from({ length: burst }, () => ({ message: t.text(40) }))
      if ((await t.together('flood', requests)).some(isLimited)) return
    }
  },
  judge: {
    'RATE-UPPER': ({ first, flood }) => given(last(first, replied), () => limitedAtLast(flood)),
  },
  observe: {
    'GAP-RATE-WINDOW': ({ flood }) => {
      if (!flood.some(isLimited)) return inconclusive('no request was limited')
      const accepted = flood.filter((one) => replied(one).is === 'pass').length
      return measured(`${accepted} of a burst were accepted`)
    },
  },
})

export const replaysCounted = scenario({
  title: 'whether replays count against the rate',
  exchanges: ['first', 'again[]'],
  needs: { principal: sacrificial },
  cost: { requests: 66, turns: 1 },
  profile: 'exhaustive',
  async run(t) {
    await t.wait(aMinuteLater)
    const first = await t.chat('first', { message: t.text(40) })
    if (isLimited(first)) t.stop('the key was limited from the beginning')
    for (let sent = 0; sent < 65; sent++) if (isLimited(await t.resendTo('again', first))) return
  },
  judge: {
    'IDEM-REPLAY-AGAIN': ({ first, again }) => replayed(first, ...again.filter((one) => !isLimited(one))),
  },
  observe: {
    'GAP-RATE-COUNTED': ({ first, again }) =>
      given(replied(first), () =>
        observed(again.some(isLimited) ? 'replays count' : '65 replays did not use it up'),
      ),
  },
})
