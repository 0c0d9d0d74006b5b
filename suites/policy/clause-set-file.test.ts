import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clauseSetProblem } from '../../bundle/clause-set.ts'
import { findClauseSet } from './clause-set-file.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const folder = temporaryFolder()

const head = 'name: 2027-03\nbase: 2026-11\n'

function written(text: string): string {
  const path = join(folder, 'next.yaml')
  writeFileSync(path, text)
  return path
}

test('a file is found by its path, and recorded as it is, without its schema', () => {
  const body = 'remove: [IDEM-KEY-ODD]\nadd: { X-Y: { level: must, text: It is so. } }\n'
  const set = findClauseSet(written(`$schema: x\n${head}${body}`))
  expect(set).toMatchObject({ revision: '2027-03' })
  expect(set.definition).toEqual({
    name: '2027-03',
    base: '2026-11',
    remove: ['IDEM-KEY-ODD'],
    add: { 'X-Y': { level: 'must', text: 'It is so.' } },
  })
  expect(clauseSetProblem(set)).toBeNull()
  expect(clauseSetProblem({ ...set, digest: 'ab' })).toBe('the clause set 2027-03 has another digest')
})

const refused: Readonly<Record<string, string>> = {
  'next.yaml: the file is null; give keys with values': '',
  'the file is a list; give keys with values': '- 1',
  'next.yaml: the file lacks "base"; add it': 'name: 2027-03\n',
  'next.yaml:1: name is "next"; give the name of a month such as 2027-03, or of a draft such as 2027-03-draft.1':
    'name: next\nbase: 2026-11\n',
  'next.yaml:1: name is 2026-11, which is published; give your set another name':
    'name: 2026-11\nbase: 2026-11\n',
  'next.yaml:2: base is 2026-12, which is no published set; did you mean "2026-11"?':
    'name: 2027-03\nbase: 2026-12\n',
  'next.yaml:3: unknown key "removed"; did you mean "remove"?': `${head}removed: []\n`,
  'next.yaml:3: change.RES-JSON.level is "may"; known are must, should': `${head}change: { RES-JSON: { level: may } }\n`,
  'change.RES-JSON.text is "a\\nb"; give one line of text': `${head}change: { RES-JSON: { text: "a\\nb" } }\n`,
  'next.yaml:5: remove.1 names RES-JASON that 2026-11 does not have; did you mean RES-JSON?': `${head}remove:\n  - RES-JSON\n  - RES-JASON\n`,
  'next.yaml:4: change.RES-JASON is a clause that 2026-11 does not have; did you mean RES-JSON?': `${head}change:\n  RES-JASON: { level: should }\n`,
  'change.RES-JSON.level is must in 2026-11 already; take it out': `${head}change: { RES-JSON: { level: must } }\n`,
  'change.RES-JSON is removed as well': `${head}remove: [RES-JSON]\nchange: { RES-JSON: { level: should } }\n`,
  'add.RES-JSON is in 2026-11 already; put what is new of it under change': `${head}add: { RES-JSON: { level: must } }\n`,
  'add.X-Y is a new clause and lacks "text"; say what has to hold': `${head}add: { X-Y: { level: must } }\n`,
}

test.for(Object.entries(refused))('a file is refused, with the line and what to do: %s', ([words, text]) => {
  expect(() => findClauseSet(written(text))).toThrow(words)
})

test.for([
  [
    '2026-10',
    'there is no clause set 2026-10; did you mean "2026-11"? To use a set of your own, give the path of its file',
  ],
  ['nowhere/next.yaml', 'clause set nowhere/next.yaml: not found; check the path; published is 2026-11'],
] as const)('%s is not found', ([named, words]) => {
  expect(() => findClauseSet(named)).toThrow(words)
})
