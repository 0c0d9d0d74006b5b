/** Which declared operation a scenario is run with, and which may be executed at all. */
import type { OperationFixture, Target, Principal } from '../../config/target.ts'
import { notExercised, type ScenarioEnded } from '../../scenario/ending.ts'
import { harmless, readOnlyEnds } from './read-only.ts'
import type { OperationNeed, Needs } from '../../scenario/scenario.ts'
import { quietEvent } from '../../scenario/webhook-driver.ts'
import { createHash } from 'node:crypto'
import { eventState, webhookEvents, type WebhookEvent } from '../../../spec/index.ts'
import { barred, provisionOf } from '../states/state-providers.ts'
import type { Permits } from '../states/providers/provider.ts'

export function chooseOperation(
  need: OperationNeed,
  target: Pick<Target, 'fixtures' | 'optIn' | 'readOnly'>,
): OperationFixture | ScenarioEnded {
  const { fixtures } = target
  const fitting = fixtures.operations
    .filter(
      (operation) =>
        operation.receipt === need.receipt &&
        (need.write === undefined || need.write === (operation.write ?? false)) &&
        (need.effect !== true || operation.effect !== undefined) &&
        (!need.doneWithin || operation.doneWithinSeconds !== undefined),
    )
    .toSorted((one, other) => (need.effect ? Number(!one.effect) - Number(!other.effect) : 0))
  const chosen = fitting.find(({ write }) => !write || mayWrite(target))
  if (chosen) return chosen
  const [held] = fitting
  return held ? writeHeld(held.name, target) : notExercised('fixture-missing', missingWords(need))
}

function mayWrite({ optIn, readOnly }: Pick<Target, 'optIn' | 'readOnly'>): boolean {
  return !readOnly && optIn.includes('writes')
}

function writeHeld(name: string, { readOnly }: Pick<Target, 'readOnly'>): ScenarioEnded {
  return readOnly
    ? readOnlyEnds(`would execute ${name}, which writes`)
    : notExercised('opt-in-required', `${name} writes; allow that with \`optIn: [writes]\``)
}

function missingWords({ receipt, write, effect, doneWithin }: OperationNeed): string {
  const what = write === undefined ? 'operation' : write ? 'write' : 'read'
  const lines = [
    'fixtures:',
    '  operations:',
    '    <a name of your own>:',
    '      id: <as discovery gives it>',
    '      input: {}',
    `      receipt: ${receipt}`,
    ...(write ? ['      write: true'] : []),
    ...(effect === true
      ? ['      effect: { operation: <the name of a read>, count: /data/<where it counts them> }']
      : []),
    ...(doneWithin
      ? ['      doneWithinSeconds: <within how long its work is done if its task is never read>']
      : []),
  ]
  const shown =
    effect === true
      ? ' and shows how often it was done'
      : doneWithin
        ? ' and declares `doneWithinSeconds`'
        : ''
  return `no ${what} is declared that leads to ${receipt}${shown}; declare one:\n${lines.join('\n')}`
}

/**
 * Why a scenario may not execute this, or null. Only what the target file names is executed, and of that a write only
 * where writes are allowed: whatever else a service lists may do anything.
 */
export function forbidden(
  operation: OperationFixture | string,
  target: Pick<Target, 'kind' | 'fixtures' | 'optIn' | 'readOnly'>,
): ScenarioEnded | null {
  const { kind, fixtures } = target
  const id = typeof operation === 'string' ? operation : operation.id
  const declared = fixtures.operations.filter((fixture) => fixture.id === id)
  if (declared.some(({ write }) => write) && !mayWrite(target)) return writeHeld(id, target)
  if (declared.length > 0 || kind === 'simulator') return null
  if (harmless(id)) return null
  return notExercised(
    'fixture-missing',
    `the operation ${id} is not declared, so it is not executed; declare it under \`fixtures.operations\``,
  )
}

/** Which webhook event a scenario is run with. */
const all = Object.keys(webhookEvents) as WebhookEvent[]

/** How the event of a scenario is chosen: a scenario that runs alone takes the first possible one. */
export function choosingFor(scenario: string, { timing }: Target, permits: Permits): Choosing {
  return { permits, ...(timing.clock === 'real' ? { spread: scenario } : {}) }
}

export interface Choosing {
  permits?: Permits
  /** Scenarios that run side by side are spread over the possible events by this text. */
  spread?: string
}

export function chooseEvent(
  { event }: Needs,
  target: Target,
  { permits = {}, spread }: Choosing,
): WebhookEvent | ScenarioEnded {
  if (event === undefined) return quietEvent
  const possible = all.filter((one) => barred(eventState(one), target, permits) === null)
  const loud = possible.length > 1 ? possible.filter((one) => one !== quietEvent) : possible
  const at = spread === undefined ? 0 : createHash('sha256').update(spread).digest().readUInt32BE(0)
  const chosen = loud[at % loud.length]
  return (
    chosen ?? notExercised('state-not-provided', 'no webhook event can be triggered; declare one `event.*`')
  )
}

/** The only agent that an event happens to, where one is declared. */
export function agentOfEvent(event: WebhookEvent, target: Target): string | undefined {
  return provisionOf(eventState(event), target).agent
}

/** Scenarios of one lane would get the deliveries of each other. A turn may trigger more than the event that it is for. */
export function laneOfEvent(event: WebhookEvent, target: Target): string {
  const { provide } = provisionOf(eventState(event), target)
  return provide === 'fixture' ? provide : event
}

interface GivenAs {
  baseUrl: string
  /** Of the API key. */
  key: string
  agent: string
}

export function givenAs(
  { arguments: [first] = [], agents }: Pick<Target, 'arguments' | 'agents'>,
  principal?: Pick<Principal, 'name' | 'source'> | null,
): GivenAs {
  const source = principal?.source
  if (first === '--base-url')
    return {
      baseUrl: '--base-url',
      key: `--api-key ${source ?? ''}`.trim(),
      agent: `--agent ${agents.plain}`,
    }
  const place = `principals.${principal?.name ?? 'main'}.bearer`
  return {
    baseUrl: 'target.baseUrl',
    key: source === undefined ? place : `${place} (${source})`,
    agent: `agents.plain (${agents.plain})`,
  }
}
