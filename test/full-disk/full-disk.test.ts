/** The store in a file, on a disk of its own that is really full. */
import { execFile, spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const child = join(import.meta.dirname, 'child.ts')
/** A small disk in memory, that this process and its children alone can see. */
const mounted = 'mount -t tmpfs -o size=3m none "$1" && exec "$2" "$3" "$1"'

const mayMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', tmpdir()]).status === 0
if (!mayMount)
  console.warn('skipped: the test of a full disk needs a disk of its own, which may not be had here')

test.skipIf(!mayMount)(
  'a full disk refuses what is written, loses nothing, and is written again once there is room',
  async () => {
    const folder = temporaryFolder(onTestFinished)
    const words = ['-m', 'sh', '-c', mounted, 'sh', folder, process.execPath, child]
    const { stdout } = await promisify(execFile)('unshare', words)
    expect(JSON.parse(stdout)).toEqual({
      refused: 503,
      full: { status: 'store-away' },
      created: 503,
      later: 200,
      room: { status: 'ok' },
      replayed: ['true', 'true', 'true'],
      notices: [
        'the store cannot be written: Error: database or disk is full',
        'the store can be written again',
      ],
    })
  },
)
