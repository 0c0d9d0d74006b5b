/** Whether the oracle can fail: defects that it must find, each planted in a simulator without attackers. */
import { setTimeout as pause } from 'node:timers/promises'
import pMap from 'p-map'
import { request } from 'undici'
import { createRandom } from '../../simulator/tenant/random.ts'
import type { FaultId } from '../../simulator/index.ts'
import { openGarrison } from './garrison.ts'
import { createPhases, type Phases } from './phases.ts'
import { startService, type Service } from './service.ts'
import { controlToken, type Access } from './tenants.ts'

/** Plants a defect in the middle of a run. */
type Break = (service: Service, access: Access, phases: Phases) => Promise<void>

async function control(
  service: Service,
  { id }: Access,
  method: 'PATCH' | 'POST',
  path: string,
  body: object,
) {
  const { statusCode, body: text } = await request(`${service.urls[0]}/_sim/v1/tenants/${id}${path}`, {
    method,
    headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (statusCode >= 300)
    throw new Error(`the defect could not be planted: ${statusCode} ${await text.text()}`)
}

const fault =
  (name: FaultId): Break =>
  (service, access) =>
    control(service, access, 'PATCH', '', { faults: [name] })

/** By what an oracle that did not find it would have let pass. */
const breaks: Readonly<Record<string, Break>> = {
  'a replay runs again': fault('replay-twice-only'),
  'a replay names another conversation': fault('replay-in-new-conversation'),
  'a replay is charged': fault('replay-charged'),
  'a streamed turn is charged twice': fault('streamed-turn-charged-twice'),
  'a delivery is lost': fault('streamed-reply-sends-no-event'),
  'a replay is delivered again': fault('replay-sends-event'),
  'a signature is wrong': fault('signed-with-line-end'),
  'an import is begun again': fault('accepted-begun-again'),
  'a note is written again': fault('operation-key-ignored'),
  'an approved run is never done': fault('approved-never-runs'),
  'a rejected run is done': fault('rejected-runs'),
  'an answer is 500': (service, access) =>
    control(service, access, 'POST', '/failures', { status: 500, times: 1 }),
  'an answer is 503': (service, access) =>
    control(service, access, 'POST', '/failures', { status: 503, times: 1 }),
  'turns are forgotten': async (service, _access, phases) => {
    const over = phases.declare()
    await service.forget()
    over()
  },
}

/** Keys before a defect is planted, and in all. */
const planted = 20
const keys = 80
const atOnce = 3

/** What the oracle says of a run in which something is planted. */
async function violationsOf(
  name: string,
  plant: Break,
  access: Access,
  seed: string,
): Promise<readonly string[]> {
  await using service = await startService('file')
  const phases = createPhases()
  const random = createRandom(`${seed}/${name}`)
  const waitMs = 5_000
  await using garrison = await openGarrison({
    urls: service.urls,
    access,
    phases,
    random,
    run: 'proof',
    waitMs,
  })
  const { oracle } = garrison
  const reached = async (count: number): Promise<void> => {
    while (oracle.entries.length < count) await pause(10)
  }
  await garrison.during(async () => {
    await reached(planted)
    await plant(service, access, phases)
    await reached(keys)
  })
  await garrison.audit()
  return oracle.violations
}

/** Problems: defects that were not found, or complaints where there is none. */
export async function proveOracle(
  access: Access,
  seed: string,
  say: (line: string) => void,
): Promise<readonly string[]> {
  const nothing = await violationsOf('nothing', async () => undefined, access, seed)
  const problems = nothing.map((line) => `without a defect: ${line}`)
  const prove = async ([name, plant]: readonly [string, Break]): Promise<void> => {
    const [found] = await violationsOf(name, plant, access, seed)
    say(`  ${name}: ${found ?? 'NOT FOUND'}`)
    if (found === undefined) problems.push(`the oracle does not find that ${name}`)
  }
  await pMap(Object.entries(breaks), prove, { concurrency: atOnce })
  return problems
}
