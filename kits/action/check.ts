/** The step of the action that runs `touchstone check`, and writes its results to the outputs and the page of the job. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'

const { env } = process
const folder = resolve('touchstone-report')
const lastPassed = env['LAST_PASSED'] ?? ''

const input = (name: string): string => (env[`INPUT_${name}`] ?? '').trim()

/** The inputs as arguments. None passes through a shell. */
function checkArguments(): string[] {
  const named = { BASE_URL: '--base-url', API_KEY: '--api-key', AGENT: '--agent' }
  const further = { PROFILE: '--profile', POLICY: '--policy' }
  const options = Object.entries({ ...named, ...further }).flatMap(([name, option]) =>
    input(name) === '' ? [] : [option, input(name)],
  )
  const target = input('TARGET') || (input('BASE_URL') === '' ? 'touchstone.yaml' : '')
  const more = input('ARGUMENTS')
    .split('\n')
    .map((line) => line.trim())
  return ['check', target, ...options, ...sinceArguments(), '--out', folder, ...more].filter(
    (one) => one !== '',
  )
}

function sinceArguments(): string[] {
  const since = input('SINCE')
  if (since === 'none' || since === '') return []
  if (since !== 'last-passed') return ['--since', since]
  return existsSync(lastPassed) ? ['--since', lastPassed] : []
}

/** What npm installs: an address or a path, else `NAME@VERSION`, of this release unless the input `version` names another. */
function packageSpec(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const { name, version } = JSON.parse(text) as { name: string; version: string }
  const wanted = input('VERSION') || version
  // By its absolute path alone, npx takes a file for a program.
  if (isAbsolute(wanted)) return `file:${wanted}`
  return /[:/]/.test(wanted) ? wanted : `${name}@${wanted}`
}

interface Report {
  run: { id: string }
  conformance: string
}

/** The report in the folder; null if there is none. */
function report(): Report | null {
  const file = `${folder}/run.json`
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : null
}

interface Counts {
  results: { summary: Record<'passed' | 'failed' | 'skipped', number> }
}

function resultsOf({ conformance }: Report): Record<string, string | number> {
  const { results } = JSON.parse(readFileSync(`${folder}/ctrf.json`, 'utf8')) as Counts
  const { passed, failed, skipped } = results.summary
  return { conformance, passed, failed, skipped, report: folder }
}

function append(variable: string, text: string): void {
  const file = env[variable]
  if (file) appendFileSync(file, text)
}

const before = report()?.run.id
const command = ['--yes', packageSpec(), ...checkArguments()]
console.log(`npx ${command.join(' ')}`)
const { status, error } = spawnSync('npx', command, { stdio: 'inherit' })
if (error) throw error
const exitCode = status ?? 1

const after = report()
// A run that did not start leaves the report of an earlier one, which says nothing of this one.
const written = after !== null && after.run.id !== before ? after : null
// A check that ends with 1 writes a report: without one, npm could not run it, and nothing is known of the target.
const ran = written !== null || exitCode !== 1
const outputs = {
  ...(ran ? { 'exit-code': exitCode } : {}),
  gate: exitCode === 0 ? 'passed' : 'failed',
  ...(written ? resultsOf(written) : {}),
}
append(
  'GITHUB_OUTPUT',
  Object.entries(outputs)
    .map(([name, value]) => `${name}=${value}\n`)
    .join(''),
)
const trouble = ran ? `Exit code ${exitCode}` : `npm could not run ${packageSpec()}`
if (!written && exitCode !== 0)
  console.log(`::error title=Touchstone wrote no report::${trouble}: the log of this step has the reason.`)
append(
  'GITHUB_STEP_SUMMARY',
  written
    ? readFileSync(`${folder}/summary.md`, 'utf8')
    : `## Touchstone wrote no report\n\n${trouble}: the log of the step has the reason.\n`,
)
if (exitCode === 0 && lastPassed !== '') {
  rmSync(lastPassed, { recursive: true, force: true })
  cpSync(folder, lastPassed, { recursive: true })
}
process.exitCode = exitCode
