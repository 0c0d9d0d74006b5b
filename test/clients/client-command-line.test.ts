/** Our own command line, and unusual ones, against every scenario about command lines. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createServices } from '../../cli/client/services.ts'
import { run as touchstone } from '../../cli/process.testkit.ts'
import { run as serviceClient } from '../../client/command-line/process.testkit.ts'
import { runClient, clientCalled } from '../../suites/runner/drivers/client.ts'
import type { Finding } from '../../bundle/record.ts'
import { vendorStated } from '../../suites/config/sections/service.ts'
import { realClock } from '../../suites/wire/clock.ts'
import { serviceClientBin } from '../bundled.ts'
import { unusualCommandLines, type Program } from '../broken-command-lines.ts'
import { commandLineRunner } from '../kill-matrix/clients.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const judged = (program: Program, ...only: readonly string[]) => judgedAs('service', program, ...only)

async function judgedAs(
  vendor: string,
  program: Program,
  ...only: readonly string[]
): Promise<readonly Finding[]> {
  const clock = realClock()
  const service = vendorStated(vendor)
  const open = createServices({ clock, onKey: () => {}, ...service })
  const subject = clientCalled('service-client', { as: 'command-line', ...service })
  const performer = commandLineRunner(program, service)
  return (await runClient(subject, { seed: 1, runner: performer, startService: open, clock, only })).record
    .findings
}

const verdictsOf = (findings: readonly Finding[]): Record<string, string> =>
  Object.fromEntries(findings.map(({ check, verdict }) => [check, verdict]))

/** Checks of what the client says about the profile that it uses. */
const report = 'CLI-WHOAMI*'

const otherThan = (verdict: string, findings: readonly Finding[]) =>
  verdictsOf(findings.filter((finding) => finding.verdict !== verdict))

test.for(['a2z'])('service-client keeps every clause of the command line of %s', async (vendor) => {
  const findings = await judgedAs(vendor, serviceClient)
  // What was refused so is left to whoever called it.
  expect(otherThan('pass', findings)).toEqual({
    'client-command-line-turns/in-progress/LIB-IN-PROGRESS': 'not-applicable',
    'client-command-line-turns/limited/LIB-RATE-WAIT': 'not-applicable',
  })
  expect(findings.length).toBeGreaterThanOrEqual(30)
})

test('service-client reports the profile of acme-corp', async () => {
  const findings = await judgedAs('acme-corp', serviceClient, report)
  expect(otherThan('pass', findings)).toEqual({})
  expect(findings.length).toBeGreaterThanOrEqual(4)
})

test('a command that does nothing passes nothing', async () => {
  const findings = await judged(() => Promise.resolve({ code: 1, out: '', err: '' }))
  expect(otherThan('not-exercised', findings)).toEqual({})
})

describe.concurrent('a command line is left alone that', () => {
  test.for(Object.entries(unusualCommandLines))('%s', async ([, { program, touches }], { expect }) => {
    const findings = await judged(program, touches)
    expect(verdictsOf(findings.filter(({ verdict }) => ['fail', 'error'].includes(verdict)))).toEqual({})
  })
})

const fourU = ['baseUrlVariable=FOUR_U_URL', 'apiKeyVariable=FOUR_U_KEY'].flatMap((pair) => [
  '--identifier',
  pair,
])

const ofVendors: readonly (readonly [
  vendor: string,
  words: readonly string[],
  ...more: readonly string[],
])[] = [
  // What it prints as JSON depends on no word.
  ['service', [], report, 'CLI-JSON'],
  ['acme-corp', ['--vendor', 'acme-corp']],
  // A word that is no name of a variable, with names of its own in its place.
  ['4u', ['--vendor', '4u', ...fourU], report],
]

test.for(ofVendors)(
  'as a process of its own it takes the word %s from touchstone client and saves profiles',
  async ([, words, ...more]) => {
    const out = temporaryFolder(onTestFinished)
    const ids = ['CLI-PROFILE-WINS', 'CLI-BASE-URL', ...more]
    const only = ids.flatMap((id) => ['--only', id])
    const command = [...only, '--quiet', '--out', out, '--', process.execPath, serviceClientBin]
    // What a person has set up in their own shell is for nobody else.
    const env = { ...process.env, TOUCHSTONE_VENDOR: 'elsewhere' }
    const { code, err } = await touchstone(['client', '--as', 'command-line', ...words, ...command], { env })
    const { findings } = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')) as { findings: Finding[] }
    expect({ code, ...otherThan('pass', findings) }, err).toEqual({ code: 0 })
    expect(findings.length).toBeGreaterThanOrEqual(ids.length)
  },
)
