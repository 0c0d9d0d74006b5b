/** What a run asks before its first story: whether the target file can be right at all. */
import { areaOf, type Area, type ClauseId } from '../../spec/index.ts'
import { ConfigurationError } from '../target/configuration-error.ts'
import type { Target } from '../target/target.ts'
import type { Equipment } from './equipment.ts'
import type { Planned, PlannedStory } from './plan.ts'
import { preflight, type Doubt } from './preflight.ts'
import { chatRequest, type Letterhead } from './request.ts'
import { ordinary } from './settings.ts'

const chatAreas: readonly Area[] = [
  'chat-request',
  'chat-response',
  'conversation',
  'idempotency',
  'streaming',
]

/** One that says nothing where a plain turn is refused. */
const isOfChat = ({ outlook, subjects }: PlannedStory): boolean =>
  outlook === null && subjects.some((one) => one in areaOf && chatAreas.includes(areaOf[one as ClauseId]))

/**
 * Returns a warning for a person, or null. Throws TargetUnreachable where nothing answers, and a ConfigurationError
 * where the address redirects, or where stories of chat are planned and not even a plain turn is taken.
 */
export async function before(
  { stories }: Planned,
  target: Target,
  equipment: Equipment,
): Promise<string | null> {
  const letterhead = equipment.letterhead('preflight')
  const doubt = await preflight(target, equipment.wire, letterhead)
  if (doubt && stories.some(isOfChat)) await takesTurn(doubt, target, equipment, letterhead)
  return doubt && doubt.words
}

/** Answered as the request before it was, nothing of chat can be judged: the file is wrong, not the service. */
async function takesTurn(
  { status, words }: Doubt,
  target: Target,
  { wire }: Equipment,
  letterhead: Letterhead,
): Promise<void> {
  const self = ordinary(target)
  const setting = { agent: target.agents.plain, secondAgent: '', message: '', cast: self ? { self } : {} }
  const message = target.fixtures.messages.plain ?? letterhead.source.text()
  const { response } = await wire.send(chatRequest('plain turn', { message }, setting, letterhead))
  if (response?.status === status) throw new ConfigurationError(words)
}
