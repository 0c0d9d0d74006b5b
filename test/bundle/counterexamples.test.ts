/** A counterexample replays a failure: of the same service, of one that was fixed, and of one that is not there. */
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { redacted } from '../../reports/bundle/redaction/run-redactor.ts'
import { secretsOf } from '../../suites/config/secret-values.ts'
import { run } from '../../cli/process.testkit.ts'
import { simulatorTarget } from '../../cli/simulator-target.ts'
import { createSimulator, type FaultId, type Simulator } from '../../simulator/index.ts'
import { counterexamplesOf, type FoundCounterexample } from '../../suites/counterexample/counterexample.ts'
import { readCounterexample } from '../../suites/counterexample/read.ts'
import { replay } from '../../suites/counterexample/replay.ts'
import schema from '../../suites/counterexample/schema.json' with { type: 'json' }
import { scriptOf } from '../../suites/counterexample/script.ts'
import { counterexampleFolder } from '../../reports/bundle/curl.ts'
import { serverScenarios, type Target } from '../../suites/index.ts'
import { runServerUnredacted } from '../../suites/runner/drivers/server.ts'
import { writeJournal } from '../../reports/bundle/journal/codec.ts'

/** Faults with a check each turns red. `script`: whether its script can see it; else it says what to look for. */
const cases: readonly (readonly [fault: FaultId, check: string, script: 'sees' | 'points'])[] = [
  ['charset-as-content-encoding', 'streaming/streamed-turn/SSE-ENCODING', 'sees'],
  ['conflict-takes-key-over', 'idempotency-conflict/message/IDEM-CONFLICT-UNCHANGED', 'sees'],
  ['conflict-takes-key-over', 'model/few/IDEM-CONFLICT-UNCHANGED', 'sees'],
  ['credits-as-text', 'chat-response/plain-turn/RES-CREDITS-USED', 'sees'],
  ['empty-message-accepted', 'chat-request/message-rules/REQ-MESSAGE-EMPTY', 'sees'],
  ['header-name-case-sensitive', 'idempotency-carrier/headers/IDEM-HEADER-CASE', 'sees'],
  ['message-counted-in-bytes', 'chat-request/widest/REQ-MESSAGE-MAX', 'sees'],
  ['messages-compared-by-length', 'idempotency-conflict/message/IDEM-CONFLICT-LENGTH', 'sees'],
  ['number-as-key-crashes', 'idempotency-key/in-the-body/IDEM-KEY-STRING', 'sees'],
  ['operations-created', 'discovery/list/OPS-LIST', 'sees'],
  ['replay-unmarked', 'idempotency-replay/json/IDEM-REPLAY-HEADER', 'sees'],
  ['third-replay-unmarked', 'idempotency-replay/json/IDEM-REPLAY-HEADER', 'sees'],
  ['done-without-conversation', 'streaming/streamed-turn/SSE-DONE-CONVERSATION', 'sees'],
  ['missing-key-without-code', 'idempotency-key/required/IDEM-KEY-REQUIRED-CODE', 'sees'],
  ['streamed-replay-refused', 'idempotency-replay/stream/IDEM-STREAM-REPLAY-STATUS', 'sees'],
  ['key-per-conversation', 'idempotency-conflict/conversation/IDEM-OTHER-CONVERSATION', 'sees'],
  ['keys-shared-by-accounts', 'idempotency-scope/accounts/IDEM-OTHER-ACCOUNT', 'sees'],
  ['streamed-from-any-agent', 'auth/restricted-key/AUTH-AGENT-SCOPE', 'sees'],
  ['error-as-html', 'chat-errors/refusals/ERR-JSON', 'sees'],
  ['json-replayed-with-two-dones', 'idempotency-conflict/mode/IDEM-OTHER-MODE-ONE-DONE', 'sees'],
  ['check-then-act', 'idempotency-race/four/IDEM-RACE-ONE-RUN', 'sees'],
  ['check-then-act', 'history/pairs/IDEM-RACE-ONE-RUN', 'points'],
  ['one-conversation-for-all', 'conversation/interleaved/CONV-NEW', 'points'],
  ['first-tokens-merged', 'streaming/streamed-turn/SSE-SEPARATED', 'points'],
  ['replay-charged', 'idempotency-charge/replays/IDEM-REPLAY-FREE', 'points'],
  ['keys-in-any-case', 'idempotency-key/distinct-case/IDEM-KEY-DISTINCT', 'sees'],
  ['plan-ignored', 'auth/plan/AUTH-PLAN', 'points'],
  ['duplicate-ends-turn', 'idempotency-flight/duplicate/IDEM-IN-FLIGHT-UNCHANGED', 'points'],
  ['press-runs-again', 'workflow/press/FLOW-PRESS-REPLAY', 'points'],
  ['server-error-as-html', 'chat-errors/server-error/ERR-500', 'points'],
  ['limit-too-high', 'rate-limit/upper/RATE-UPPER', 'points'],
  ['failed-without-resolution', 'receipts/failed/RCPT-FAILED-RESOLUTION', 'points'],
  ['operation-check-then-act', 'execution-retry/four/EXEC-RETRY-RACE', 'points'],
  ['held-runs-before', 'approvals/approved/APPR-HELD', 'points'],
  ['task-state-waiting', 'tasks/states/TASK-STATE-KNOWN', 'points'],
]

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'touchstone-counterexamples-'))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

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
  const found = await runServerUnredacted(target, { seed: 1, only: [check] })
  const clean = redacted(found, secretsOf(target))
  const [one] = counterexamplesOf(clean, { target, scenarios })
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

const has = (command: string): boolean => {
  try {
    execFileSync('bash', ['-c', `command -v ${command}`])
    return true
  } catch {
    return false
  }
}
const bashful = ['curl', 'jq'].filter((command) => !has(command))

/** What a person sets before running a script, of this simulator. */
function variables({ url, tenant }: Simulator): NodeJS.ProcessEnv {
  const { keys, agents } = tenant
  return {
    PATH: process.env['PATH'],
    TMPDIR: folder,
    BASE_URL: url,
    API_KEY: keys.main,
    API_KEY_OTHER: keys.second,
    API_KEY_RESTRICTED: keys.oneAgent,
    API_KEY_STRANGER: keys.other,
    AGENT_ID: agents.plain,
    AGENT_ID_SECOND: agents.second,
    AGENT_ID_OF_OTHER: agents.foreign,
    AGENT_ID_OF_RESTRICTED: agents.second,
    AGENT_ID_OF_STRANGER: agents.foreign,
  }
}

function bash(file: string, env: NodeJS.ProcessEnv): Promise<{ code: unknown; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile('bash', [file], { env, timeout: 60_000 }, (error, out, err) => {
      resolve({ code: error ? error.code : 0, out, err })
    })
  })
}

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

async function heldScript(
  found: FoundCounterexample,
  sight: 'sees' | 'points',
  { broken, sound }: Pair,
): Promise<void> {
  const script = scriptOf(found.counterexample)
  const file = join(mkdtempSync(join(folder, 'script-')), 'repro.sh')
  writeFileSync(file, script)
  // Whatever was sent before is a minute ago.
  for (const { tenant } of [broken, sound]) await tenant.clock.advance(61_000)
  const [seen, unseen] = await Promise.all([bash(file, variables(broken)), bash(file, variables(sound))])
  const reported = seen.out + seen.err + unseen.out + unseen.err
  // Without what has to be brought about by hand it does not even begin.
  const begins = !script.includes('need BY_HAND')
  const [words, ...codes] =
    sight === 'sees'
      ? ['FAILS', 1, 0]
      : begins
        ? ['Compare the responses above', 3, 3]
        : ['set BY_HAND: yes, once', 2, 2]
  expect([seen.code, unseen.code], reported).toEqual(codes)
  expect(reported).toContain(words)
}

describe('a counterexample fails with its fault, passes without it, and says nothing with a wrong key:', () => {
  test.concurrent.for(cases)('%s, %s, which its script %s', async ([fault, check, sight], { annotate }) => {
    const [broken, sound] = await Promise.all([createSimulator({ faults: [fault] }), createSimulator({})])
    const pair = { broken, sound }
    try {
      const found = await foundIn(broken, check)
      expect(found.counterexample.check).toBe(check)
      heldSecret(found, pair)
      await heldReplay(found, pair)
      if (bashful.length === 0) await heldScript(found, sight, pair)
      else await annotate(`the script was not run: this machine has no ${bashful.join(' and no ')}`)
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

  test('says FAILS, with what came and how often, and ends with 1', async () => {
    const { code, out: reported } = await run(['replay', scenarioOf(check), ...broken, '--times', '3'])
    expect(reported).toMatch(/^FAILS \(3 of 3\)\n.*check +idempotency-replay/s)
    expect(reported).toMatch(/expected +header x-service-idempotent-replay: true\n +got +no such header/)
    expect(code).toBe(1)
  })

  test('says FIXED of a service without the fault, and ends with 0', async () => {
    const { code, out: reported } = await run(['replay', scenarioOf(check), '--base-url', 'simulator'])
    expect([code, reported.split('\n')[0]]).toEqual([0, 'FIXED (passed 1 of 1)'])
  })

  test('cannot judge where nothing answers, and ends with 4', async () => {
    const gone = await createSimulator({})
    await gone.close()
    const where = ['--base-url', gone.url, '--api-key', 'env:KEY', '--agent', 'a']
    const { code, out: reported } = await run(['replay', scenarioOf(check), ...where], {
      env: { KEY: 'sk-0000-0001' },
    })
    expect([code, reported.split('\n')[0]]).toEqual([4, 'CANNOT JUDGE'])
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

  test.for([
    ['that is no JSON', () => '{', 'it is not JSON'],
    ['of something else', () => '{"schemaVersion":1}', 'it is no counterexample'],
    [
      'of a newer version',
      (file: object) => JSON.stringify({ ...file, schemaVersion: 2 }),
      'schema version 2',
    ],
    [
      'of a check that there is not',
      (file: object) => JSON.stringify({ ...file, check: 'a/b/C' }),
      'a/b/C is none',
    ],
    [
      'of other clauses',
      (file: object) =>
        JSON.stringify({ ...file, contract: { revision: '1999-01', digest: '0'.repeat(64) } }),
      'another set of clauses',
    ],
  ] as const)('refuses a file %s, and ends with 2', async ([, change, words]) => {
    const file = join(folder, `${words.replaceAll(/\W/g, '')}.json`)
    writeFileSync(file, change(JSON.parse(readFileSync(scenarioOf(check), 'utf8')) as object))
    const { code, err } = await run(['replay', file, ...broken])
    expect([code, err]).toEqual([2, expect.stringContaining(words)])
  })

  test('keeps the counterexamples of the run before with its report', async () => {
    const own = join(folder, 'again')
    await run([...asked, '--fault', 'replay-unmarked', '--out', own])
    await run([...asked, '--out', own])
    const file = join(counterexampleFolder(check), 'replay.json')
    expect([own, `${own}.previous`].map((one) => existsSync(join(one, file)))).toEqual([false, true])
  })
})

test('the schema is right by its own rules', () => {
  expect(() =>
    new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false }).compile(schema),
  ).not.toThrow()
})
