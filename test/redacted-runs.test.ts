import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run as touchstone } from '../cli/process.testkit.ts'
import { simulatorTarget } from '../cli/simulator-target.ts'
import { BundleError } from '../bundle/errors.ts'
import { createSimulator, type Simulator } from '../simulator/index.ts'
import { runSuite, saveRun, type Progress, type Run } from '../suites/index.ts'
import { temporaryFolder } from '../spec/testing/machine.testkit.ts'

const events: Progress[] = []
const root = temporaryFolder()
let simulator: Simulator
let run: Run

beforeAll(async () => {
  simulator = await createSimulator()
  const only = ['AUTH-*', 'SIGN-*', 'HOOK-LIST-*']
  run = await runSuite(simulatorTarget(simulator), {
    seed: 1,
    only,
    onProgress: (event) => events.push(event),
  })
})
afterAll(async () => {
  await simulator.close()
})

/** Bodies as text. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    member instanceof Uint8Array ? Buffer.from(member).toString() : member,
  )
}

const secrets = (): RegExp => new RegExp(`${simulator.tenant.keys.main}|whsec_[\\w-]{8}`)

test('neither the run nor its events contain a key or the secret of a webhook', () => {
  expect(run.journal.length).toBeGreaterThan(10)
  expect(textOf(run)).toMatch(/\[\[key:main:[\da-f]{8}\]\]/)
  expect(textOf(run)).not.toMatch(secrets())
  expect(events.map(({ is }) => is)).toContain('exchange')
  expect(textOf(events)).not.toMatch(secrets())
})

test('a saved run can be verified and judged again, and has no secret in it', async () => {
  const out = join(root, 'saved')
  saveRun(run, out)
  const paths = readdirSync(out, { recursive: true, encoding: 'utf8' }).map((path) => join(out, path))
  for (const path of paths.filter((path) => statSync(path).isFile()))
    expect(readFileSync(path, 'utf8')).not.toMatch(secrets())
  const { code, out: verified } = await touchstone(['verify', '--rejudge', out, '--out', join(root, 'again')])
  expect({ code, verified }).toMatchObject({ code: run.record.exitCode })
  expect((await touchstone(['report', out, '--out', `${join(root, 'reports')}/`])).code).toBe(0)
})

test('a run from elsewhere cannot be saved, and nothing is overwritten', () => {
  const copy: Run = { ...run }
  expect(() => saveRun(copy, join(root, 'copy'))).toThrow(BundleError)
  expect(() => saveRun(run, join(root, 'saved'))).toThrow(/contains .*; name a new or an empty folder/)
})
