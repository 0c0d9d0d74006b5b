/** What a run asks before its first scenario: whether the target file can be right at all. */
import { areaOf, type Area, type ClauseId } from '../../../spec/index.ts'
import { ConfigurationError } from '../../config/configuration-error.ts'
import type { Target } from '../../config/target.ts'
import type { Wire } from '../../wire/wire.ts'
import type { RunContext } from '../run-context.ts'
import type { Planned, PlannedScenario } from './plan.ts'
import { manageRequest } from '../requests/manage-request.ts'
import { doubtOf, noSuchAgent, preflight, sendProbe, type Doubt } from './preflight.ts'
import { chatRequest, type RequestDefaults } from '../requests/request.ts'
import { ordinary } from '../states/settings.ts'

const chatAreas: readonly Area[] = [
  'chat-request',
  'chat-response',
  'conversation',
  'idempotency',
  'streaming',
]

/** One that says nothing where a plain turn is refused. */
const isOfChat = ({ outlook, subjects }: PlannedScenario): boolean =>
  outlook === null && subjects.some((one) => one in areaOf && chatAreas.includes(areaOf[one as ClauseId]))

const isOfSession = ({ outlook, scenario }: PlannedScenario): boolean =>
  outlook === null && scenario.needs?.session === true

/**
 * Returns a warning for a person, or null. Throws TargetUnreachable where nothing answers, and a ConfigurationError
 * where the address redirects, where not even a plain turn is taken and the key is refused or scenarios of chat are
 * planned, or where the session that scenarios need is not signed in.
 */
export async function checkBeforeRun(
  { scenarios }: Planned,
  target: Target,
  runContext: RunContext,
): Promise<string | null> {
  const requestDefaults = runContext.requestDefaults('preflight')
  const mismatch = await preflight(target, runContext.wire, requestDefaults)
  if (mismatch && (mismatch.status === 401 || scenarios.some(isOfChat)))
    await takesTurn(mismatch, target, runContext, requestDefaults)
  if (scenarios.some(isOfSession)) await isSignedIn(target, runContext, requestDefaults)
  return mismatch && mismatch.words
}

/** Answered as the request before it was, nothing of chat can be judged: what was given is wrong, not the service. */
async function takesTurn(
  before: Doubt,
  target: Target,
  { wire }: RunContext,
  requestDefaults: RequestDefaults,
): Promise<void> {
  const self = ordinary(target)
  const setting = { agent: target.agents.plain, secondAgent: '', message: '', cast: self ? { self } : {} }
  const message = target.fixtures.messages.plain ?? requestDefaults.source.text()
  const turn = doubtOf(
    await wire.send(chatRequest('plain turn', { message }, setting, requestDefaults)),
    target,
  )
  if (!turn || (turn.status !== before.status && !(turn.foreign && before.foreign))) return
  const isRouted = turn.status === 404 && (await refusesNobody(target, wire, requestDefaults))
  throw new ConfigurationError(isRouted ? noSuchAgent(target) : turn.words)
}

/** A route that asks for a key is there, so the base address is right. */
async function refusesNobody(target: Target, wire: Wire, requestDefaults: RequestDefaults): Promise<boolean> {
  const { response } = await sendProbe('no key', target, wire, requestDefaults, null)
  return response?.status === 401
}

/** Listing webhooks costs nothing; 401 says that nobody is signed in, and nothing else does. */
async function isSignedIn(
  target: Target,
  { wire }: RunContext,
  requestDefaults: RequestDefaults,
): Promise<void> {
  const { session, agents } = target
  const setting = { agent: agents.plain, secondAgent: '', message: '', cast: {} }
  const signedIn = session ? { ...setting, session: session.headers } : setting
  const { response } = await wire.send(manageRequest('session', {}, signedIn, requestDefaults), { turns: 0 })
  if (response?.status === 401)
    throw new ConfigurationError(
      `before the run, listing the webhooks of the agent ${agents.plain} with the session was answered 401: sign in again, and check session.headers`,
    )
}
