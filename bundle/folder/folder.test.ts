import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openFolder } from './folder.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const root = temporaryFolder()

const open = (path: string) => openFolder(path, ['report.html', 'summary.md'])
function written(path: string, content: string): void {
  const folder = open(path)
  folder.write('run.json', content)
  folder.publish()
}

describe('a folder for reports', () => {
  it('is made with all that is above it, when the run is complete', () => {
    const path = join(root, 'a', 'b')
    const folder = open(path)
    folder.write('run.json', '1')
    expect(existsSync(path)).toBe(false)
    folder.publish()
    written(path, '2')
    written(`${path}/`, '3')
    const contents = ['b', 'b.previous'].map((name) =>
      readFileSync(join(root, 'a', name, 'run.json'), 'utf8'),
    )
    expect(contents).toEqual(['3', '2'])
    expect(readdirSync(join(root, 'a')).toSorted()).toEqual(['b', 'b.previous'])
  })

  it('replaces an empty folder, and stays as it is when the run is discarded', () => {
    const path = mkdtempSync(join(root, 'empty-'))
    written(path, '1')
    const folder = open(path)
    folder.write('run.json', '2')
    folder.discard()
    expect(readFileSync(join(path, 'run.json'), 'utf8')).toBe('1')
    expect(existsSync(folder.path)).toBe(false)
  })

  it.each(['judging.json', 'plan.json', 'journal.ndjson'])(
    'replaces what a run left that was killed after %s',
    (name) => {
      const path = join(root, `killed-${name}`)
      mkdirSync(`${path}.running`)
      writeFileSync(join(`${path}.running`, name), '{}')
      written(path, '1')
      expect(readFileSync(join(path, 'run.json'), 'utf8')).toBe('1')
    },
  )

  it.each([['manifest.json'], ['summary.md', 'junit.xml'], ['run.json', 'notes.txt']])(
    'is refused where there are files of somebody else: %s',
    (...names) => {
      const path = mkdtempSync(join(root, 'web-'))
      for (const name of names) writeFileSync(join(path, name), 'mine')
      expect(() => open(path)).toThrow(/contains .*, which is not part of a report/)
      expect(names.map((name) => readFileSync(join(path, name), 'utf8'))).toEqual(names.map(() => 'mine'))
    },
  )

  it.each(['.previous', '.running'])(
    'is refused where the folder with %s at its end is not ours',
    (ending) => {
      const path = join(root, 'taken')
      mkdirSync(`${path}${ending}`)
      writeFileSync(join(`${path}${ending}`, 'notes.txt'), 'mine')
      expect(() => open(path)).toThrow(new RegExp(`${ending} contains notes\\.txt`))
      rmSync(`${path}${ending}`, { recursive: true })
    },
  )

  it('never deletes the last signed report', () => {
    const path = join(root, 'signed')
    written(path, '1')
    writeFileSync(join(path, 'statement.dsse.json'), '{}')
    written(path, '2')
    expect(() => open(path)).toThrow(/signed\.previous is the last signed run/)
    writeFileSync(join(path, 'statement.dsse.json'), '{}')
    written(path, '3')
    expect(existsSync(join(`${path}.previous`, 'statement.dsse.json'))).toBe(true)
  })

  it('is never a symbolic link, and contains none', () => {
    const [path, elsewhere] = [join(root, 'linked'), mkdtempSync(join(root, 'elsewhere-'))]
    writeFileSync(join(elsewhere, 'mine'), 'mine')
    symlinkSync(elsewhere, path)
    for (const named of [path, `${path}/`]) expect(() => open(named)).toThrow(/is a symbolic link/)
    rmSync(path)
    written(path, '1')
    for (const [name, target] of [
      ['report.html', join(elsewhere, 'mine')],
      ['evidence', elsewhere],
    ] as const) {
      symlinkSync(target, join(path, name))
      expect(() => open(path)).toThrow(new RegExp(`contains ${name}`))
      rmSync(join(path, name))
    }
    expect(readFileSync(join(elsewhere, 'mine'), 'utf8')).toBe('mine')
  })

  it.skipIf(!existsSync('/proc/self')).each(['/proc/nowhere/out', '/dev/null/out'])(
    'is refused at once where it cannot be made: %s',
    (path) => {
      expect(() => open(path)).toThrow(/cannot be written there .*name another folder/)
    },
  )
})
