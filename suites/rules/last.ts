/**
 * A last look at what the run left behind: it is asked for once more, as it was, after everything else, and minutes
 * later where the clock is ours. Most of it is judged by the other rules, as what came before.
 */
import { codesOf, isReplay, statusOf } from '../assertions/answer.ts'
import { replayed, unmarkedAs } from '../assertions/once.ts'
import { saysStored } from '../assertions/paused.ts'
import { fields, isFresh, isStream } from '../assertions/reply.ts'
import { asked } from '../assertions/turn.ts'
import {
  buttonsOf,
  presents,
  sameButton,
  type Interaction,
  isStale,
} from '../chat/assertions/presentation.ts'
import { check, fail, inconclusive, observed, pass, warn } from '../scenario/expect.ts'
import { scenario, type Judgement } from '../scenario/scenario.ts'
import type { Exchange } from '../wire/exchange.ts'
import { memo } from '../wire/memo/memo.ts'
import { isAbsent } from '../webhooks/assertions/management/webhook-record.ts'
import { firstOfEachKey, isOfLastLook } from './chat.ts'
import { isShownTask } from './operations.ts'
import { eachOf, ruleOver } from './rule.ts'
import { isHookList, removedBefore, whereListed } from './webhooks.ts'

/** On the target's clock: longer than a cache lives that is there to take load off. */
const laterMs = 11 * 60_000

type All = readonly Exchange[]
type Pair = [before: Exchange, again: Exchange]

const kindOfTurn = (turn: Exchange): string =>
  [isStream(turn), saysStored(fields(turn)), presents(turn)].join()

const isUncertain = (one: Exchange): boolean =>
  statusOf(one) === 409 && codesOf(one).includes('OUTCOME_UNCERTAIN')
const isSame = (one: Exchange, other: Exchange): boolean =>
  pathOf(one) === pathOf(other) && Buffer.from(one.request.body).equals(other.request.body)
/** What became uncertain later is no completed key. */
const completed = memo((all: All): All => {
  const uncertain = all.filter(isUncertain)
  return firstOfEachKey(all)
    .flat()
    .filter((turn) => !uncertain.some((one) => isSame(one, turn)))
})
const pathOf = ({ request }: Exchange): string => `${request.principal} ${request.path}`
const distinct = (some: All): All =>
  some.filter((one, at) => some.findIndex((other) => isSame(one, other)) === at)

/** What was sent before the run is no part of it. */
const isOfRun = ({ scenario }: Exchange): boolean => scenario.includes('/')

/** What is asked for again, and how much of it at most. */
const kept = {
  // The oldest of each kind.
  turns: {
    most: 6,
    of: (all: All) => [...Map.groupBy(completed(all), kindOfTurn).values()].flatMap(([first = []]) => first),
  },
  // One of them twice: what it comes to is asked for again.
  uncertain: { most: 3, of: (all: All) => all.filter(isUncertain).toReversed() },
  stale: { most: 2, of: (all: All) => distinct(all.filter(isStale)) },
  tasks: { most: 2, of: (all: All) => distinct(all.filter(isShownTask).toReversed()) },
  lists: { most: 2, of: (all: All) => distinct(all.filter(isHookList).toReversed()) },
} as const satisfies Readonly<Record<string, { most: number; of: (all: All) => All }>>
const names = Object.keys(kept) as readonly (keyof typeof kept)[]

export const look = scenario({
  title: 'what the run left behind is asked for once more',
  exchanges: ['turns[]', 'uncertain[]', 'stale[]', 'tasks[]', 'lists[]'],
  last: true,
  cost: {
    requests: names.reduce((sum, name) => sum + kept[name].most, 0),
    turns: kept.turns.most + kept.uncertain.most + kept.stale.most,
  },
  async run(t) {
    const all = t.remembered.filter(isOfRun)
    if (t.clock === 'control') await t.settle(laterMs)
    for (const name of names)
      for (const one of kept[name].of(all).slice(0, kept[name].most)) await t.resendTo(name, one)
  },
  judge: {},
  observe: {
    'GAP-KEY-LIFE': ({ turns }) =>
      turns.length === 0
        ? inconclusive('no turn was completed before')
        : observed(
            `${turns.filter(isReplay).length} of ${turns.length} turns were replayed at the end of the run`,
          ),
  },
})

/** What was asked for in the last look, with what was first answered to the very same request. */
const pairsIn = (all: All, holds: (before: Exchange) => boolean): readonly Pair[] =>
  all.filter(isOfLastLook).flatMap((again): Pair[] => {
    const before = all.find((one) => isSame(one, again) && holds(one))
    return before && before !== again ? [[before, again]] : []
  })

/** Of each uncertain key what was sent again, at any time. */
const askedAgain = (all: All): readonly Pair[] =>
  all
    .filter(isUncertain)
    .flatMap((before) =>
      all
        .filter((again) => again.sentAt > before.endedAt && isSame(before, again))
        .map((again): Pair => [before, again]),
    )

/** How long a key is remembered is not shown; that its button was superseded since, or its outcome, is another row. */
function isRemembered(before: Exchange, again: Exchange): Judgement {
  if (statusOf(again) === 409) return inconclusive('another row of the table may fit')
  const judged = replayed(before, again)
  return judged.is === 'fail' && isFresh(again)
    ? warn('a replay, as earlier in the run', unmarkedAs(before, again), again)
    : judged
}

export const lastly = ruleOver('what the run left behind is as it was when it is asked for once more', {
  'IDEM-REPLAY-AGAIN': (all) =>
    eachOf(
      pairsIn(all, (one) => completed(all).includes(one)),
      'completed keys',
      isRemembered,
    ),
  'IDEM-UNCERTAIN-STAYS': (all) =>
    eachOf(askedAgain(all), 'uncertain keys', (before, again) => {
      if (statusOf(again) !== 200 || isReplay(again)) return pass
      // It was seen to run before; where it was not, it may have been found not to have run.
      const ran = all.some((one) => one.sentAt < before.sentAt && isSame(one, before) && isFresh(one))
      if (!ran && !isOfLastLook(again)) return inconclusive('it was not seen to run before')
      return (ran ? fail : warn)('a refusal, or a replay', 'a turn: 200, not a replay', again)
    }),
  'FLOW-STALE-STATUS': (all, { dialect }) =>
    eachOf(pairsIn(all, isStale), 'superseded buttons', (before, again) => {
      const button = asked(again)?.['interaction'] as Interaction
      const isOffered = all.some(
        (one) =>
          one.sentAt > before.sentAt &&
          statusOf(one) === 200 &&
          presents(one) &&
          buttonsOf(one, dialect).some((other) => sameButton(other, button)),
      )
      return isOffered
        ? inconclusive('the button was offered again')
        : check(statusOf(again) !== 200, '409, as before', 'status 200', again)
    }),
  'HOOK-DELETE': (all) =>
    whereListed(
      all,
      eachOf(
        all
          .filter((one) => isOfLastLook(one) && isHookList(one))
          .flatMap((list) => removedBefore(all, list).map((creation): Pair => [list, creation])),
        'webhooks that were removed',
        isAbsent,
      ),
    ),
})
