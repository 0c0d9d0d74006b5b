/** A scenario that sends the steps of a counterexample, judged by the judges of the scenario it was found with. */
import type { ChatRequest, Driver } from '../scenario/driver.ts'
import type { Timeouts } from '../wire/recorder.ts'
import type { AnyScenario } from '../scenario/scenario.ts'
import type { Exchange } from '../wire/exchange.ts'
import { flatSteps, type Counterexample, type ReplayStep, type StepText } from './file.ts'
import { createResolver, type Resolver } from './resolve.ts'

export function withSteps(scenario: AnyScenario, file: Counterexample): AnyScenario {
  const { length: requests } = flatSteps(file)
  return { ...scenario, cost: { requests, turns: requests }, run: (t) => send(t, file) }
}

/** The driver of a scenario whose names the compiler does not know. */
interface Sender extends Omit<Driver, 'together'> {
  together(name: string, requests: readonly ChatRequest[]): Promise<readonly Exchange[]>
}

async function send(t: Sender, { steps, notes }: Counterexample): Promise<void> {
  for (const [name, value] of Object.entries(notes)) t.note(name, value)
  const resolver = createResolver(t)
  for (const step of steps) {
    if ('atOnce' in step) await sendTogether(t, step.atOnce, resolver)
    else await sendOne(t, step, resolver)
  }
}

async function sendOne(t: Sender, step: ReplayStep, resolver: Resolver): Promise<void> {
  if (step.waitMs !== undefined) await t.pause(step.waitMs)
  const answer = begin(t, step, resolver)
  resolver.sent(step.id, ownKey(step), answer)
  await answer
}

async function begin(t: Sender, step: ReplayStep, resolver: Resolver): Promise<Exchange> {
  const request = await requestOf(step, resolver)
  if (step.method === 'POST') return t.start(step.name, request).answer
  const { raw: _, agent: __, ...rest } = request
  return t.read(step.name, await resolver.text(step.path), rest)
}

/** Past one barrier where the scenario had one; else each so long after the first as it was. */
async function sendTogether(t: Sender, steps: readonly ReplayStep[], resolver: Resolver): Promise<void> {
  const [first] = steps
  const barrier = steps.every(
    ({ method, name, afterMs }) => method === 'POST' && name === first?.name && afterMs === undefined,
  )
  if (first && barrier) {
    if (first.waitMs !== undefined) await t.pause(first.waitMs)
    const requests = await Promise.all(steps.map((step) => requestOf(step, resolver)))
    const together = t.together(first.name, requests)
    steps.forEach((step, at) =>
      resolver.sent(
        step.id,
        ownKey(step),
        together.then((all) => one(all, at)),
      ),
    )
    await together
    return
  }
  const begun: Promise<Exchange>[] = []
  let gone = 0
  for (const step of steps) {
    const { afterMs = gone, waitMs = 0 } = step
    if (afterMs > gone || waitMs > 0) await t.pause(Math.max(afterMs - gone, waitMs))
    gone = Math.max(gone, afterMs)
    const answer = begin(t, step, resolver)
    resolver.sent(step.id, ownKey(step), answer)
    begun.push(answer)
  }
  await Promise.all(begun)
}

function one(all: readonly Exchange[], at: number): Exchange {
  const found = all[at]
  if (!found) throw new Error(`of ${all.length} requests sent at once none is number ${at + 1}`)
  return found
}

/** The role whose key stands in it as every request has it. */
function ownKey({ as, headers }: ReplayStep): string | null {
  const [, value] = headers.find(([name]) => isAuthorization(name)) ?? []
  return as !== null && isOrdinary(value, as) ? as : null
}

function isOrdinary(value: StepText | undefined, role: string): boolean {
  if (value === undefined || typeof value === 'string' || value.length !== 2) return false
  const [scheme, key] = value
  return scheme === 'Bearer ' && typeof key === 'object' && 'key' in key && key.key === role
}

const isAuthorization = (name: string): boolean => name.toLowerCase() === 'authorization'

async function requestOf(step: ReplayStep, resolver: Resolver): Promise<ChatRequest> {
  const as = ownKey(step)
  const own = step.headers.filter(([name]) => as === null || !isAuthorization(name))
  const headers = await Promise.all(
    own.map(async ([name, value]) => [name, await resolver.text(value)] as const),
  )
  const typed = headers.some(([name]) => name.toLowerCase() === 'content-type')
  const path = await resolver.text(step.path)
  return {
    raw: await resolver.body(step.body),
    agent: decodeURIComponent(path.split('/').at(-1) ?? ''),
    as,
    headers,
    ...(step.leaves ? { timeouts: timeoutFor(step.leaves) } : {}),
    ...(typed ? {} : { withoutHeaders: ['Content-Type'] }),
  }
}

function timeoutFor(leaves: NonNullable<ReplayStep['leaves']>): Timeouts {
  return 'afterMs' in leaves ? { abortAfterMs: leaves.afterMs } : { abortAfterBytes: leaves.afterBytes }
}
