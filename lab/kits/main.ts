/**
 * `npm run lab -- kits`: runs the Postman and the Bruno collection against a simulator with newman and bru, and installs
 * the pytest plugin. `--collections`: without the plugin, which pip needs an index of Python packages for.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSimulator } from '../../simulator/index.ts'
import { installTools } from '../tools.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'touchstone-kits-'))
const tools = join(installTools(join(import.meta.dirname, 'tools')), 'node_modules/.bin')
await using simulator = await createSimulator()
const { tenant } = simulator
const variables = {
  baseUrl: tenant.url,
  apiKey: tenant.keys.main,
  agent: tenant.agents.plain,
  session: tenant.sessions.main,
}
const options = Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`])

/** Runs beside the simulator, which is in this process. */
async function run(command: string, words: readonly string[], cwd: string, env = {}): Promise<void> {
  const child = spawn(command, words, { cwd, stdio: 'inherit', env: { ...process.env, ...env } })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${command} ${words[0]} ended with ${code}`)
}

/** With pip, and the packages that it asks for from an index of Python packages. */
async function installPlugin(): Promise<void> {
  const venv = join(folder, 'venv')
  if (spawnSync('python3', ['-m', 'venv', venv]).status !== 0) {
    console.log('skipped: the pytest plugin needs python3 with venv')
    return
  }
  // Setuptools builds in the folder that it installs from.
  cpSync(join(root, 'kits/python'), join(folder, 'python'), { recursive: true })
  await run(join(venv, 'bin/pip'), ['install', '-q', './python'], folder)
  await run(join(venv, 'bin/pytest'), ['-q', 'python/tests'], folder, {
    TOUCHSTONE_CONTROL_URL: simulator.url,
  })
}

try {
  await run(process.execPath, [join(root, 'scripts/collections.ts'), folder], root)
  await run(join(tools, 'newman'), ['run', 'postman.json', ...options], folder)
  await run(join(tools, 'bru'), ['run', '--env', 'simulator', ...options], join(folder, 'bruno'))
  if (!process.argv.includes('--collections')) await installPlugin()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
