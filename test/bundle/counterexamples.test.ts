/** A counterexample replays a failure: of the same service, of one that was fixed, and of one that is not there. */
import { execFile, spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { secretsOf } from '../../suites/config/secret-values.ts'
import { run } from '../../cli/process.testkit.ts'
import { simulatorTarget } from '../../cli/simulator-target.ts'
import { createSimulator, type FaultId, type Simulator } from '../../simulator/index.ts'
import { counterexamplesOf, type FoundCounterexample } from '../../suites/counterexample/counterexample.ts'
import { readCounterexample, scriptOf } from '../../suites/counterexample/file.ts'
import { replay } from '../../suites/counterexample/replay.ts'
import schema from '../../suites/counterexample/schema.json' with { type: 'json' }
import { counterexampleFolder } from '../../bundle/names.ts'
import { serverScenarios, type Target } from '../../suites/index.ts'
import { runSuite } from '../../suites/runner/drivers/server.ts'
import { writeJournal } from '../../bundle/journal/codec.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

/** Faults with a check each turns red; a rule after the scenario that feeds it. */
const cases: readonly (readonly [fault: FaultId, check: string])[] = [
  ['charset-as-content-encoding', 'streaming/streamed-turn,rules/replies/SSE-ENCODING'],
  ['conflict-takes-key-over', 'idempotency-conflict/message/IDEM-CONFLICT-UNCHANGED'],
  ['conflict-takes-key-over', 'walk/some-keys/IDEM-CONFLICT-UNCHANGED'],
  ['credits-as-text', 'chat-response/plain-turn,rules/replies/RES-CREDITS-USED'],
  ['empty-message-accepted', 'chat-request/message-rules/REQ-MESSAGE-EMPTY'],
  ['header-name-case-sensitive', 'idempotency-carrier/headers/IDEM-HEADER-CASE'],
  ['message-counted-in-bytes', 'message-values/some/REQ-MESSAGE-MAX'],
  ['messages-compared-by-length', 'idempotency-conflict/message/IDEM-CONFLICT-LENGTH'],
  ['number-as-key-crashes', 'idempotency-key/in-the-body/IDEM-KEY-STRING'],
  ['operations-created', 'discovery/list/OPS-LIST'],
  ['replay-unmarked', 'idempotency-replay/json/IDEM-REPLAY-HEADER'],
  ['third-replay-unmarked', 'idempotency-replay/json/IDEM-REPLAY-HEADER'],
  ['done-without-conversation', 'streaming/streamed-turn,rules/streams/SSE-DONE-CONVERSATION'],
  ['missing-key-without-code', 'idempotency-key/required/IDEM-KEY-REQUIRED-CODE'],
  ['streamed-replay-refused', 'idempotency-replay/stream/IDEM-STREAM-REPLAY-STATUS'],
  ['key-per-conversation', 'idempotency-conflict/conversation/IDEM-OTHER-CONVERSATION'],
  ['keys-shared-by-accounts', 'auth/other-keys/IDEM-OTHER-ACCOUNT'],
  ['streamed-from-any-agent', 'auth/other-keys/AUTH-AGENT-SCOPE'],
  ['error-as-html', 'chat-request/message-rules,rules/refusals/ERR-JSON'],
  [
    'json-replayed-with-two-dones',
    'idempotency-conflict/conversation,rules/repeats/IDEM-OTHER-MODE-ONE-DONE',
  ],
  ['check-then-act', 'idempotency-race/four/IDEM-RACE-ONE-RUN'],
  ['first-tokens-merged', 'streaming/streamed-turn,rules/streams/SSE-SEPARATED'],
  ['replay-charged', 'credits/balance,rules/charges/IDEM-REPLAY-FREE'],
  ['plan-ignored', 'auth/plan/AUTH-PLAN'],
  ['duplicate-ends-turn', 'idempotency-flight/duplicate/IDEM-IN-FLIGHT-UNCHANGED'],
  ['press-runs-again', 'workflow/press/FLOW-PRESS-REPLAY'],
  ['server-error-as-html', 'chat-errors/when-broken/ERR-500'],
  ['limit-too-high', 'rate-limit/upper/RATE-UPPER'],
  ['failed-without-resolution', 'receipts/failed/RCPT-FAILED-RESOLUTION'],
  ['operation-check-then-act', 'execution-retry/again/EXEC-RETRY-RACE'],
  ['held-runs-before', 'approvals/decided/APPR-HELD'],
  ['task-accepted', 'tasks/states/TASK-READ'],
]

const folder = temporaryFolder()

const scenarios = serverScenarios

/** With long timeouts, for a busy machine. */
function targetOf(simulator: Simulator): Target {
  return { ...simulatorTarget(simulator), timing: { clock: 'control', answerTimeoutMs: 30_000 } }
}

/** On a busy machine a turn that is slow on purpose may be over before the next request is there: then nothing is judged. */
const mostTimes = 3

/** Runs the scenario of a check against a simulator with this fault, and makes its counterexample. */
async function foundIn(simulator: Simulator, check: string, times = mostTimes): Promise<FoundCounterexample> {
  const target = targetOf(simulator)
  const only = check.split(',')
  const found = await runSuite(target, { seed: 1, only })
  const made = counterexamplesOf(found, { target, scenarios })
  const one = made.find(({ counterexample }) => counterexample.check === only.at(-1))
  if (one) return one
  const isUnjudged = found.record.findings.some(({ verdict }) => verdict === 'inconclusive')
  if (isUnjudged && times > 1) return foundIn(simulator, check, times - 1)
  throw new Error(`${check} did not fail: ${JSON.stringify(found.record.findings)}`)
}

/** Everybody with a key that nobody knows. */
const withWrongKeys = (target: Target): Target => ({
  ...target,
  principals: target.principals.map((one) => ({ ...one, bearer: `sk-wrong-${one.name}-0001` })),
})

interface Pair {
  broken: Simulator
  sound: Simulator
}

async function heldReplay({ counterexample }: FoundCounterexample, { broken, sound }: Pair): Promise<void> {
  const file = readCounterexample(JSON.stringify(counterexample), 'replay.json')
  const reported = (target: Target) => replay(file, target, { scenarios })
  async function judged(target: Target, times = mostTimes): ReturnType<typeof replay> {
    const answer = await reported(target)
    return answer.verdict === 'CANNOT JUDGE' && times > 1 ? judged(target, times - 1) : answer
  }
  expect(await judged(targetOf(broken))).toMatchObject({ verdict: 'FAILS' })
  expect(await judged(targetOf(sound))).toMatchObject({ verdict: 'FIXED' })
  const nobody = await reported(withWrongKeys(targetOf(sound)))
  expect(nobody).toMatchObject({ verdict: 'CANNOT JUDGE', because: expect.any(String) as string })
}

function heldSecret({ counterexample, exchanges }: FoundCounterexample, { broken }: Pair): void {
  const written = scriptOf(counterexample) + JSON.stringify(counterexample) + writeJournal(exchanges)
  for (const { value } of secretsOf(targetOf(broken))) expect(written).not.toContain(value)
}

describe('a counterexample fails with its fault, passes without it, and says nothing with a wrong key:', () => {
  test.concurrent.for(cases)('%s, %s', async ([fault, check]) => {
    const [broken, sound] = await Promise.all([createSimulator({ faults: [fault] }), createSimulator({})])
    const pair = { broken, sound }
    try {
      const found = await foundIn(broken, check)
      expect(found.counterexample.check).toBe(check.split(',').at(-1))
      heldSecret(found, pair)
      await heldReplay(found, pair)
    } finally {
      await Promise.all([broken.close(), sound.close()])
    }
  })
})

describe('the command', () => {
  const out = () => join(folder, 'report')
  const scenarioOf = (check: string) => join(out(), counterexampleFolder(check), 'replay.json')
  const check = 'idempotency-replay/json/IDEM-REPLAY-HEADER'
  const broken = ['--base-url', 'simulator', '--fault', 'replay-unmarked']
  const asked = ['check', 'simulator', '--quiet', '--only', 'idempotency-replay/*']
  beforeAll(async () => void (await run([...asked, '--fault', 'replay-unmarked', '--out', out()])))

  test('leaves three files for a failed check, one of which can be run', () => {
    const left = join(out(), counterexampleFolder(check))
    expect(readdirSync(left).sort()).toEqual(['exchanges.ndjson', 'replay.json', 'repro.sh'])
    expect(statSync(join(left, 'repro.sh')).mode & 0o100).not.toBe(0)
  })

  test('the script sends its requests again, with fresh keys, and shows the failure', async (context) => {
    if (spawnSync('curl', ['--version']).error) context.skip('this machine has no curl')
    const file = join(out(), counterexampleFolder(check), 'repro.sh')
    const marked = async (faults: readonly FaultId[]) => {
      await using simulator = await createSimulator({ faults })
      const { keys, agents } = simulator.tenant
      const env = { ...process.env, BASE_URL: simulator.url, API_KEY: keys.main, AGENT_ID: agents.plain }
      // It stops where a value of an earlier response is to be copied.
      const { stdout } = await promisify(execFile)('bash', ['-c', `bash '${file}' || true`], { env })
      return [
        stdout.match(/^HTTP\/1\.1 200/gm)?.length,
        stdout.match(/^x-service-idempotent-replay: true/gim)?.length,
      ]
    }
    expect(await marked([])).toEqual([2, 1])
    expect(await marked(['replay-unmarked'])).toEqual([2, undefined])
  })

  test('says FAILS, with what came and how often, and ends with 1', async () => {
    const { code, out: reported } = await run(['replay', scenarioOf(check), ...broken, '--times', '3'])
    expect(reported).toMatch(/^FAILS \(3 of 3\)\n.*check +idempotency-replay/s)
    expect(reported).toMatch(/expected +header x-service-idempotent-replay: true\n +got +no such header/)
    expect(code).toBe(1)
  })

  test('cannot judge with a key that is refused, ends with 3, and does not print the key', async () => {
    const simulator = await createSimulator({})
    const where = [
      '--base-url',
      simulator.url,
      '--api-key',
      'env:KEY',
      '--agent',
      simulator.tenant.agents.plain,
    ]
    const { code, out: reported } = await run(['replay', scenarioOf(check), ...where], {
      env: { KEY: 'sk-nobodys-key' },
    })
    await simulator.close()
    expect(reported).toMatch(
      /^CANNOT JUDGE\n[^]*because +the API key was refused \(401\) before the first check: check [^\n]*KEY/,
    )
    expect([code, reported.includes('sk-nobodys-key')]).toEqual([3, false])
  })
})

test('the schema is right by its own rules', () => {
  expect(() =>
    new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false }).compile(schema),
  ).not.toThrow()
})
