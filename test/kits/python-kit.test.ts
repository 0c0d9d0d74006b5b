/** The pytest plugin, in the pytest of this machine. */
import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../simulator/index.ts'
import { touchstoneBin } from '../bundled.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const kit = join(root, 'kits/python')
const words = ['-c', 'import sys, pytest; assert sys.version_info >= (3, 11)']
const isMissing = spawnSync('python3', words).status !== 0
if (isMissing) console.warn('skipped: the pytest plugin needs Python 3.11 with pytest')

const folder = temporaryFolder()
let simulator: Simulator
beforeAll(async () => {
  simulator = await createSimulator()
})
afterAll(async () => {
  await simulator.close()
})

/** Resolves with the exit code and what pytest printed. No installed plugin is loaded, and so no copy of this one. */
function pytest(args: readonly string[], own: NodeJS.ProcessEnv): Promise<{ code: number; out: string }> {
  const alone = { PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1', PYTHONDONTWRITEBYTECODE: '1' }
  const env = { ...process.env, PYTHONPATH: join(kit, 'src'), ...alone, ...own }
  const given = ['-m', 'pytest', '-q', '-p', 'touchstone_pytest.plugin', '-p', 'no:cacheprovider', ...args]
  return new Promise((resolve) => {
    execFile('python3', given, { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), out: stdout + stderr }),
    )
  })
}

test.skipIf(isMissing)('its own tests pass', async () => {
  const { code, out } = await pytest([join(kit, 'tests')], {
    TOUCHSTONE_CONTROL_URL: `${simulator.url}/_sim/v1/tenants/${simulator.tenant.id}`,
  })
  expect(code, out).toBe(0)
  expect(simulator.tenants).toHaveLength(1)
})

test.skipIf(isMissing)('it starts a simulator, and stops it', async () => {
  const code = 'def test_url(service):\n    print("at", service.base_url)\n'
  writeFileSync(join(folder, 'test_url.py'), code)
  const command = `${process.execPath} ${touchstoneBin}`
  const ended = await pytest(['-s', 'test_url.py'], {
    TOUCHSTONE_COMMAND: command,
    TOUCHSTONE_CONTROL_URL: '',
  })
  expect(ended, ended.out).toMatchObject({ code: 0 })
  const [, url = ''] = /at (http:\S+)/.exec(ended.out) ?? []
  await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed')
})
