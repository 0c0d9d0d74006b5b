/** The pipelines under examples/ are run as they stand, step by step, against a simulator of their own. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Ready } from '../../cli/simulate/greeting.ts'

const bin = fileURLToPath(new URL('../../cli/bin.ts', import.meta.url))
const textOf = (name: string): string =>
  readFileSync(new URL(`../../examples/ci/${name}`, import.meta.url), 'utf8')

interface GitHub {
  jobs: { contract: { env: Record<string, string>; steps: { run?: string; if?: string; with?: object }[] } }
}
interface GitLab {
  contract: { script: string[]; artifacts: { when: string; paths: string[]; reports: { junit: string } } }
}

const github = (parse(textOf('github-actions.yml')) as GitHub).jobs.contract
const gitlab = (parse(textOf('gitlab-ci.yml')) as GitLab).contract

const pipelines = {
  'github-actions.yml': github.steps.flatMap(({ run }) => run ?? []),
  'gitlab-ci.yml': gitlab.script,
}

const children: ChildProcess[] = []
const root = mkdtempSync(join(tmpdir(), 'touchstone-examples-'))
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(root, { recursive: true, force: true })
})

async function simulate(more: readonly string[]): Promise<Ready> {
  const child = spawn(process.execPath, [bin, 'simulate', '--port', '0', '--json', ...more], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the simulator ended with exit code ${code} instead of listening`)
  })
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string]
  // From here on it may end.
  ended.catch(() => {})
  return JSON.parse(line) as Ready
}

/** What `npm ci` leaves where the package is a dependency, but for the package itself. */
function install(folder: string): void {
  const command = join(folder, 'node_modules/.bin/touchstone')
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`, { mode: 0o755 })
}

/** A job sees its variables and nothing of this process; without a registry npx can only take what is installed. */
const jobEnvironment = (folder: string, { url, keys, agents }: Ready): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: folder,
  npm_config_offline: 'true',
  SERVICE_BASE_URL: url,
  SERVICE_API_KEY: keys.main,
  SERVICE_AGENT: agents.plain,
  GITHUB_STEP_SUMMARY: join(folder, 'page.md'),
  // Above the default of 45, for which a smoke run would wait a minute here, and below the 60 of the contract.
  TOUCHSTONE_BUDGETS__REQUESTS_PER_MINUTE: '58',
})

/** Exit code and output of one step, in the shell that runners use. */
async function step(line: string, cwd: string, env: Record<string, string>) {
  const run = promisify(execFile)('bash', ['-e', '-o', 'pipefail', '-c', line], { cwd, env })
  return await run.then(
    ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code: Number(code), text: `${stdout}${stderr}` }),
  )
}

/** An empty folder with the package and a target file, and a simulator to which the file leads. */
async function prepared(name: string, ...more: readonly string[]) {
  const folder = mkdtempSync(join(root, name))
  const ready = await simulate(more)
  const env = jobEnvironment(folder, ready)
  install(folder)
  const { second, paused } = ready.agents
  const init = `npx touchstone init --second-agent ${second} --paused-agent ${paused}`
  expect(await step(init, folder, env)).toMatchObject({ code: 0 })
  return { folder, env, nextMinute: () => nextMinute(ready) }
}

/** What init and doctor sent counts against the same limit of a key as a run that begins at once. */
async function nextMinute({ control }: Ready): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ ms: 60_000 })
  const { status } = await fetch(`${control}/clock/advance`, { method: 'POST', headers, body })
  expect(status).toBe(200)
}

describe.concurrent('a pipeline of the examples', { timeout: 180_000 }, () => {
  test.for(Object.entries(pipelines))(
    '%s passes, and leaves its reports',
    async ([name, steps], { expect }) => {
      const { folder, env, nextMinute } = await prepared(name)
      const before = "npx touchstone check simulator --only 'auth/*' --quiet --out last-run"
      // The one has a run before it, and the other has not.
      const isFirst = name !== 'github-actions.yml'
      if (!isFirst) expect(await step(before, folder, env)).toMatchObject({ code: 0 })
      expect(steps[0]).toBe('npm ci')
      for (const line of steps.slice(1)) {
        await nextMinute()
        const { code, text } = await step(line, folder, env)
        expect(code, `${line}\n${text}`).toBe(0)
      }
      const report = (file: string) => readFileSync(join(folder, 'touchstone-report', file), 'utf8')
      expect(report('junit.xml')).toContain('<testsuites')
      expect(JSON.parse(report('run.json'))).toMatchObject({ target: { name: 'my-service' } })
      expect(report('run.json') + report('junit.xml')).not.toContain(env['SERVICE_API_KEY'])
      expect(existsSync(join(folder, 'touchstone-report/changes.json'))).toBe(!isFirst)
      expect(readFileSync(join(folder, 'last-run/run.json'), 'utf8')).toBe(report('run.json'))
      if (!isFirst) expect(readFileSync(join(folder, 'page.md'), 'utf8')).toBe(report('summary.md'))
    },
  )

  test('ends at doctor when the key is another one, before anything is judged', async ({ expect }) => {
    const { folder, env } = await prepared('wrong-key')
    const [, doctor = ''] = gitlab.script
    const { code, text } = await step(doctor, folder, { ...env, SERVICE_API_KEY: 'sk-unknown' })
    expect([code, text]).toEqual([2, expect.stringContaining('✗ principals.main')])
  })

  test('ends at check when the service breaks a must, and has the report to show', async ({ expect }) => {
    const { folder, env } = await prepared('fault', '--fault', 'replay-unmarked')
    const check = gitlab.script.find((line) => line.includes('touchstone check')) ?? ''
    const { code } = await step(check, folder, env)
    expect(code).toBe(1)
    expect(readFileSync(join(folder, gitlab.artifacts.reports.junit), 'utf8')).toContain('<failure')
  })
})

test('both upload the reports after a failure too, and name the variables that init asks for', () => {
  const names = ['SERVICE_BASE_URL', 'SERVICE_API_KEY', 'SERVICE_AGENT']
  expect(Object.keys(github.env)).toEqual(names)
  for (const name of names) expect(textOf('gitlab-ci.yml')).toContain(name)
  expect(github.steps.at(-1)).toMatchObject({ if: 'always()', with: { path: 'touchstone-report/' } })
  expect(gitlab.artifacts).toEqual({
    when: 'always',
    paths: ['touchstone-report/'],
    reports: { junit: 'touchstone-report/junit.xml' },
  })
})
