import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFolder } from './folder.ts'

let root: string
beforeAll(() => void (root = mkdtempSync(join(tmpdir(), 'touchstone-folder-'))))
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('a folder for reports', () => {
  it('is made with all that is above it, and cleared of an earlier run only', () => {
    const path = join(root, 'a', 'b')
    const folder = openFolder(path, ['report.html', 'summary.md'])
    folder.write('run.json', '{}')
    folder.release()
    writeFileSync(join(path, 'notes.txt'), 'mine')
    openFolder(path, ['report.html', 'summary.md'])

    expect([existsSync(join(path, 'run.json')), existsSync(join(path, 'notes.txt'))]).toEqual([false, true])
  })

  it.each([['manifest.json'], ['summary.md', 'junit.xml']])(
    'is refused where files of somebody else would be written over: %s',
    (...names) => {
      const path = mkdtempSync(join(root, 'web-'))
      for (const name of names) writeFileSync(join(path, name), 'mine')
      expect(() => openFolder(path, ['report.html', 'summary.md'])).toThrow(
        /are of no run; move them away or name another folder/,
      )
      expect(names.map((name) => readFileSync(join(path, name), 'utf8'))).toEqual(names.map(() => 'mine'))
    },
  )

  it('has a name', () => {
    expect(() => openFolder('', ['report.html', 'summary.md'])).toThrow(/^name a folder/)
  })

  it.skipIf(!existsSync('/proc/self')).each(['/proc/nowhere/out', '/dev/null/out'])(
    'that cannot be made is refused at once: %s',
    (path) => {
      expect(() => openFolder(path, ['report.html', 'summary.md'])).toThrow(
        /cannot be written there .*name another folder/,
      )
    },
  )
})
