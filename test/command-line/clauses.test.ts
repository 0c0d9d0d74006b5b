/** Every clause of the command line is named by a test of it. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { areas } from '../../spec/index.ts'

const files = globSync('*.test.ts', { cwd: import.meta.dirname })

test('each clause of the command line has a test that is named after it', () => {
  const names = files.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8')).join('')
  const ids = [...Object.keys(areas['command-line']), 'VER-EMBEDDED', 'VER-NEW-OPERATION']

  expect(ids.filter((id) => !names.includes(`'${id}: `))).toEqual([])
})
