/** The pytest plugin, installed by pip as docs/embedding.md says, with its own tests run against a simulator. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'

/** Throws if pip cannot install it or a test fails. */
export function testPytestPlugin(root: string, folder: string): void {
  const venv = join(folder, 'venv')
  if (spawnSync('python3', ['-m', 'venv', venv]).status !== 0) {
    console.log('skipped: the pytest plugin needs python3 with venv')
    return
  }
  // Setuptools builds in the folder that it installs from.
  cpSync(join(root, 'kits/python'), join(folder, 'python'), { recursive: true })
  const options = { cwd: folder, stdio: 'inherit' } as const
  execFileSync(join(venv, 'bin/pip'), ['install', '-q', './python'], options)
  const pytest = [join(venv, 'bin/pytest'), '-q', 'python/tests']
  execFileSync(process.execPath, [join(root, 'cli/bin.ts'), 'exec', '--', ...pytest], options)
}
