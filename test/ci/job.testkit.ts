/** A job of a CI platform: a folder in which the package can be run, a service, and a shell with the job's variables. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Ready } from '../../cli/simulate/open.ts'
import { touchstoneBin } from '../bundled.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))
export const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')

export type Environment = Readonly<Record<string, string>>

export interface Job {
  folder: string
  env: Environment
}

const children: ChildProcess[] = []
const folders: string[] = []

/** Ends every service and deletes every folder. */
export function endJobs(): void {
  targetFile = earlierReport = undefined
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

/** The name and the version that people install. */
export const published = JSON.parse(textOf('package.json')) as { name: string; version: string }

/** A job sees its variables and nothing of this process; without a registry npx can only run what is installed. */
const environment = (folder: string, { url, keys, agents }: Ready): Environment => ({
  PATH: process.env['PATH'] ?? '',
  HOME: folder,
  npm_config_offline: 'true',
  SERVICE_BASE_URL: url,
  SERVICE_API_KEY: keys.main,
  SERVICE_AGENT: agents.plain,
})

/** An empty folder with the package, and a simulator, with these options, to which the variables lead. */
export async function startJob(...options: readonly string[]): Promise<Job> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-job-'))
  folders.push(folder)
  const child = spawn(process.execPath, [touchstoneBin, 'simulate', '--port', '0', '--json', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the simulator ended with exit code ${code} instead of listening`)
  })
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string]
  // From here on it may end.
  ended.catch(() => {})
  const ready = JSON.parse(line) as Ready
  // The package as an installation lays it down, so that npx runs NAME@VERSION without a registry. Its `check` runs a few
  // checks only: the steps around it are what is tested.
  const name = published.name
  const version = published.version
  const command = join(folder, 'node_modules', name, 'touchstone')
  const link = join(folder, 'node_modules/.bin/touchstone')
  const manifest = { name, version, bin: { touchstone: './touchstone', 'service-client': './touchstone' } }
  const narrowed = `[ "$1" != check ] || set -- "$@" --only idempotency-replay/json`
  for (const file of [command, link]) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `#!/bin/sh\n${narrowed}\nexec '${process.execPath}' '${touchstoneBin}' "$@"\n`, {
      mode: 0o755,
    })
  }
  writeFileSync(join(dirname(command), 'package.json'), JSON.stringify(manifest))
  return { folder, env: environment(folder, ready) }
}

/** What `init` writes; it names variables only, so every job can have it. */
let targetFile: Promise<string> | undefined

async function initialised({ folder, env }: Job): Promise<string> {
  const { code, text } = await shell('npx touchstone init', folder, env)
  if (code !== 0) throw new Error(`init ended with exit code ${code}: ${text}`)
  return readFileSync(join(folder, 'touchstone.yaml'), 'utf8')
}

/** The same, with a target file. */
export async function startJobWithTarget(...options: readonly string[]): Promise<Job> {
  const job = await startJob(...options)
  targetFile ??= initialised(job)
  writeFileSync(join(job.folder, 'touchstone.yaml'), await targetFile)
  return job
}

/** The report of a run that passed. */
let earlierReport: Promise<string> | undefined

async function passingRun(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-earlier-'))
  folders.push(folder)
  const place = join(folder, 'report')
  const words = ['check', 'simulator', '--only', 'idempotency-replay/json', '--quiet', '--out', place]
  await promisify(execFile)(process.execPath, [touchstoneBin, ...words], {
    env: { PATH: process.env['PATH'] ?? '' },
  })
  return place
}

/** Lays the report of an earlier run that passed into a folder. */
export async function layEarlierReport(place: string): Promise<void> {
  earlierReport ??= passingRun()
  cpSync(await earlierReport, place, { recursive: true })
}

/** Exit code and output of one step, in the shell that runners use. */
export async function shell(line: string, cwd: string, env: Environment) {
  const run = promisify(execFile)('bash', ['-e', '-o', 'pipefail', '-c', line], { cwd, env })
  return await run.then(
    ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code: Number(code), text: `${stdout}${stderr}` }),
  )
}
