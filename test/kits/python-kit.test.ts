/** The pytest plugin, in the pytest of this machine. */
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
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

const own = { TOUCHSTONE_COMMAND: `${process.execPath} ${touchstoneBin}`, TOUCHSTONE_CONTROL_URL: '' }
const one = 'from ask import ask\n\ndef test_one(service):\n    print("at", service.base_url)\n    ask()\n'
const none = 'def test_none():\n    pass\n'

test.skipIf(isMissing).for<[what: string, code: number, text: string, ...options: string[]]>([
  ['without a requirement', 0, one],
  ['with what is met', 0, one, '--touchstone-require', 'reply.filled'],
  ['with what is not met', 1, one, '--touchstone-require', 'reply.*'],
  ['with a requirement and no request', 1, none, '--touchstone-require', 'reply.*'],
])(
  'it starts a simulator, stops it, and prints what the tests met, %s',
  async ([, code, text, ...options]) => {
    const file = join(folder, 'test_met.py')
    writeFileSync(file, text)
    const coverage = join(folder, 'coverage.json')
    const given = ['-s', file, '--touchstone-coverage', coverage, ...options]
    const ended = await pytest(given, { ...own, PYTHONPATH: `${join(kit, 'src')}:${join(kit, 'tests')}` })
    expect(ended, ended.out).toMatchObject({ code })
    expect(ended.out.includes('Required, and not met: ')).toBe(code === 1)
    expect(JSON.parse(readFileSync(coverage, 'utf8'))).toHaveProperty('requests', text === one ? 1 : 0)
    if (text === none) return
    expect(ended.out).toMatch(/^=+ touchstone =+\nCoverage: 1 of \d+ met; requests: 1\./m)
    const [, url = ''] = /at (http:\S+)/.exec(ended.out) ?? []
    await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed')
  },
)

test.skipIf(isMissing)('a simulator that runs already has no coverage of these tests alone', async () => {
  const url = ['--touchstone-url', simulator.url, '--touchstone-require', 'reply.*']
  const { code, out } = await pytest([...url, join(kit, 'tests')], own)
  expect([code, out]).toEqual([4, expect.stringContaining('touchstone exec --coverage FILE')])
})
