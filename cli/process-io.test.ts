import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const bin = fileURLToPath(new URL('bin.ts', import.meta.url))
const shell = (line: string, env: NodeJS.ProcessEnv = {}) =>
  spawnSync('bash', ['-o', 'pipefail', '-c', line], {
    encoding: 'utf8',
    env: { ...process.env, NODE: process.execPath, BIN: bin, ...env },
  })

describe('the command line, as a process', { timeout: 20_000 }, () => {
  it('lets a reader close the pipe before it has read everything', () => {
    // More than any pipe holds, so that the rest meets a closed one.
    const { status, stdout, stderr } = shell('"$NODE" "$BIN" clauses --json | head -n 1')

    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '[\n', stderr: '' })
  })

  it('keeps to the columns that the environment tells of', () => {
    const { stdout } = shell('"$NODE" "$BIN" check --help', { COLUMNS: '80' })
    const [options = ''] = stdout.split('Examples:')

    expect(Math.max(...options.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  })
})
