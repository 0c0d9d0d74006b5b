/** A run that can be driven story by story: what was planned ends with a verdict, told or not. */
import type { Finding, Run, StoryRecord } from '../record.ts'
import { ConfigurationError } from '../target/configuration-error.ts'
import type { Target } from '../target/target.ts'
import type { Exchange } from '../wire/exchange.ts'
import { notExercised, StoryEnded, type Ending } from './ending.ts'
import { judgeScenario, unplayed, type Subject } from './judge.ts'
import { before } from './before.ts'
import { chooseEvent, choosingFor, laneOfEvent } from './event-choice.ts'
import { laneOf, withKeys } from './key-ring.ts'
import { createLadder } from './ladder.ts'
import { createLanes, type Lanes } from './lanes.ts'
import { startEquipment, type Equipment } from './equipment.ts'
import { planRun, type Planned, type PlannedStory } from './plan.ts'
import { playScenario, type Played } from './play.ts'
import type { Progress, SessionOptions } from './progress.ts'
import { openReception, type Reception } from './reception.ts'
import { openingOf } from './opening.ts'
import { recordOf, type Outcome } from './run-record.ts'
import { beginningOf, slackOf, wasUnmet, type Slack } from './second-attempt.ts'
import { watchReplies } from './same-reply.ts'
import { settle } from './settings.ts'
import { createVendorWatch, vendorAdvice } from './vendor-seen.ts'

export interface Session {
  readonly planned: Planned
  /**
   * One request, and one turn where its answer speaks of a wrong key, agent or address. Throws TargetUnreachable when
   * nothing answers, and a ConfigurationError where the turn is answered alike.
   */
  begin(): Promise<void>
  /** Whether others may be told while it is: mostly it waits for deliveries on a clock that goes by itself. */
  sharesTime(story: PlannedStory): boolean
  /**
   * Plays and judges one story; its findings are those that were asked for. Throws a ConfigurationError where the
   * target states no vendor, and everything seen of it agrees on another word than that of the contract.
   */
  tell(story: PlannedStory): Promise<readonly Finding[]>
  /** What was sent and came back so far, by id. */
  exchange(id: number | undefined): Exchange | undefined
  /** What was not told is not exercised. */
  end(): Promise<Run>
}

interface Told {
  found: readonly Finding[]
  story: StoryRecord | null
}

/** Throws a ConfigurationError when `only` matches nothing. */
export function openSession(target: Target, options: SessionOptions): Session {
  const { signal, onProgress } = options
  const planned = planRun(options.scenarios, target, options.only, options)
  const equipment = startEquipment(target, options)
  const opening = openingOf({ target, options, equipment })
  onProgress?.({ is: 'planned', planned, opening })
  const told = new Map<string, Told>()
  let warning: string | null = null
  const slack = slackOf(planned, target, () => equipment.governor.used())
  const means: Means = { target, equipment, options, reception: null, lanes: createLanes(), slack }
  const close = (): void => void equipment.recorder.close()
  signal?.addEventListener('abort', close, { once: true })
  const vendor = createVendorWatch(target, equipment.journal)
  const replies = watchReplies(equipment.journal)

  async function tellOnce(story: PlannedStory): Promise<readonly Finding[]> {
    onProgress?.(announced(story, planned))
    const result = await tellStory(story, means)
    means.slack.ended(story)
    told.set(story.id, result)
    const found = replies.without(result.found)
    for (const finding of found) onProgress?.({ is: 'finding', finding })
    if (result.story) onProgress?.({ is: 'told', story: result.story, used: equipment.governor.used() })
    return found
  }

  /** Whether deliveries have the same word as replies is seen by a story that is planned anyway. */
  async function knowVendor(): Promise<void> {
    const seen = vendor.other()
    if (seen === null) return
    const delivering = planned.stories.find((story) => showsDelivery(story) && !told.has(story.id))
    if (!seen.delivered && delivering) await tellOnce(delivering)
    const still = vendor.other()
    if (still) throw new ConfigurationError(vendorAdvice(still))
  }

  return {
    planned,
    sharesTime: ({ scenario: { needs } }) =>
      target.timing.clock === 'real' && needs?.receiver === true && !needs.alone,
    async begin() {
      if (planned.stories.some(deliveredTo))
        means.reception = await openReception(target.receiver, { ...equipment, access: target })
      warning = await before(planned, target, equipment)
      await equipment.recorder.warm(2)
    },
    async tell(story) {
      const before = told.get(story.id)
      if (before) return replies.without(before.found)
      const found = await tellOnce(story)
      await knowVendor()
      return found
    },
    exchange: (id) => equipment.journal.find((exchange) => exchange.id === id),
    async end() {
      signal?.removeEventListener('abort', close)
      await equipment.recorder.close()
      await means.reception?.close()
      const results = planned.stories.map((story) => told.get(story.id) ?? left(story, interrupted))
      return finished(results, { target, options, equipment, opening, planned, warning })
    },
  }
}

/** What a later scenario showed of replies counts for those before it, too. */
function finished(results: readonly Told[], outcome: Omit<Outcome, 'found' | 'stories'>): Run {
  const journal = outcome.equipment.journal.toSorted((a, b) => a.id - b.id)
  const found = watchReplies(journal).without(results.flatMap((result) => result.found))
  const stories = results.flatMap(({ story }) => (story ? [story] : []))
  return { record: recordOf({ ...outcome, found, stories }), journal }
}

const interrupted: Ending = notExercised('interrupted', 'the run ended before it was played').ending

function announced({ id, scenario }: PlannedStory, { stories }: Planned): Progress {
  const at = stories.findIndex((story) => story.id === id) + 1
  return { is: 'story', scenario: id, title: scenario.title, at, of: stories.length }
}

/** What every story of a session is told with. */
interface Means {
  target: Target
  equipment: Equipment
  options: SessionOptions
  reception: Reception | null
  lanes: Lanes
  slack: Slack
}

/** One that makes the target deliver at once. */
const showsDelivery = (story: PlannedStory): boolean => {
  const { needs } = story.scenario
  return deliveredTo(story) && needs?.states === undefined && needs?.event === undefined
}

const deliveredTo = ({ scenario, outlook }: PlannedStory): boolean =>
  outlook === null && scenario.needs?.receiver === true

/** One after the other where they would get the deliveries of each other. */
async function tellStory(story: PlannedStory, means: Means): Promise<Told> {
  const { scenario, outlook } = story
  const { target, options, lanes, reception } = means
  if (options.signal?.aborted) return left(story, interrupted)
  if (outlook) return left(story, outlook)
  const trouble = scenario.needs?.receiver ? await reception?.trouble() : null
  if (trouble) return left(story, notExercised('receiver-unreachable', trouble).ending)
  const event =
    scenario.needs?.event && chooseEvent(scenario.needs, target, choosingFor(story.id, target, options))
  return typeof event === 'string'
    ? lanes(laneOfEvent(event, target), () => tellNow(story, means))
    : tellNow(story, means)
}

async function tellNow(story: PlannedStory, means: Means): Promise<Told> {
  // Its keys and texts are other ones each time.
  const letterhead = means.equipment.letterhead(story.id)
  const first = await playOnce(story, means, letterhead)
  if (!('exchanges' in first)) return first
  const told = judged(story, first, means)
  if (!wasUnmet(told.found, first) || !means.slack.has(story)) return told
  const second = await playOnce(story, means, letterhead)
  if (!('exchanges' in second)) return second
  const again = judged(story, second, means)
  return { ...again, story: again.story && { ...again.story, ...beginningOf(second) } }
}

function judged(story: PlannedStory, played: Played, { target, options }: Means): Told {
  if (options.signal?.aborted) return cutOff(story, played)
  const found = asked(judgeScenario(story.id, story.scenario, played, target.dialect), story.subjects)
  const { exchanges: _, raced: __, ...record } = played
  return { found, story: record }
}

async function playOnce(
  story: PlannedStory,
  means: Means,
  letterhead: ReturnType<Equipment['letterhead']>,
): Promise<Played | Told> {
  const { id, scenario } = story
  const { target, equipment, options, reception } = means
  const { signal, allowExec, ask, onCreate, onGone } = options
  if (signal?.aborted) return left(story, interrupted)
  const { control, clock, governor, ring } = equipment
  const spent = governor.spent()
  if (spent !== null) return left(story, notExercised('budget-exhausted', spent).ending)
  const settled = settle(scenario, target, letterhead.source.text(), choosingFor(id, target, options))
  if (settled instanceof StoryEnded) return left(story, settled.ending)
  const requests = keyed(scenario)
  const setting = withKeys(settled, ring, requests)
  const self = setting.cast['self']
  if (self && !self.sacrificial && requests > 0) await governor.ready(laneOf(self), requests)
  if (signal?.aborted) return left(story, interrupted)
  const ladder = createLadder(target, { control, clock, signal, allowExec, ask, onCreate, onGone })
  const { dialect } = target
  return playScenario(id, scenario, setting, {
    ...equipment,
    target,
    signal,
    reception,
    ladder,
    letterhead,
    dialect,
    books: { onCreate, onGone },
  })
}

/**
 * The requests for which the rate of a key is waited for beforehand. A story with a session makes the others without
 * a key, and the few that it makes with one, to be refused, wait when they are sent.
 */
function keyed({ needs, cost }: PlannedStory['scenario']): number {
  return needs?.session ? cost.turns : (cost.inOneGo ?? cost.requests)
}

/** Requests that an abort cut off say nothing about the target; what it may still be in is told all the same. */
function cutOff(story: PlannedStory, { states, stuck }: Played): Told {
  const { found } = left(story, interrupted)
  if (stuck.length === 0) return { found, story: null }
  return { found, story: { scenario: story.id, notes: {}, ending: interrupted, crash: null, states, stuck } }
}

function left({ id, scenario, subjects }: PlannedStory, ending: Ending): Told {
  return { found: asked(unplayed(id, scenario, ending), subjects), story: null }
}

function asked(found: readonly Finding[], subjects: readonly Subject[]): readonly Finding[] {
  return found.filter(({ subject }) => subjects.includes(subject))
}
