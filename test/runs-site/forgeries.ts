/** What a forger, a careless copy and a broken disk can do to a folder of signed runs, and why none of it counts. */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { signerFrom } from '../../cli/seal/signer.ts'
import type { RunRecord } from '../../reports/bundle/record.ts'
import { sealFolder } from '../../reports/bundle/seal/seal.ts'
import { reportFiles } from '../../reports/index.ts'
import { passed } from '../bundle/alterations.ts'
import { writeLaterRun, type LaterRun } from './later-run.ts'

export interface Place {
  /** A folder with the runs `1.0`, which passes, and `1.1`, which fails. */
  runs: string
  /** Where a forger may write besides. */
  elsewhere: string
  /** The bundle that the runs were made from. */
  base: string
  keys: { own: string; other: string }
}

const fails = '1.1'
const later = { version: '1.2', startedAt: '2026-09-01T09:00:00.000Z' } as const

const edit = (file: string, change: (text: string) => string): void =>
  writeFileSync(file, change(readFileSync(file, 'utf8')))
const editRecord = (folder: string, change: (record: RunRecord) => RunRecord): RunRecord => {
  const record = change(JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as RunRecord)
  writeFileSync(join(folder, 'run.json'), `${JSON.stringify(record, null, 2)}\n`)
  return record
}
const add = (
  { runs, base, keys }: Place,
  run: LaterRun,
  key: keyof Place['keys'] | null,
  name = run.version,
) => writeLaterRun(base, join(runs, name), run, key && signerFrom(`file:${keys[key]}`, {}))

interface Forgery {
  act: (place: Place) => void
  /** Bundles that are listed with the reason. */
  listed: Readonly<Record<string, RegExp>>
  /** Of the two honest runs, those that still count. */
  count: readonly string[]
}

const both = ['1.0', fails]

export const forgeries: Readonly<Record<string, Forgery>> = {
  'a failure became a pass': {
    act: ({ runs }) => void editRecord(join(runs, fails), passed),
    listed: { [fails]: /its statement is about another run\.json/ },
    count: ['1.0'],
  },
  'a failure became a pass, and the rest fits it': {
    act: ({ runs }) => {
      const record = editRecord(join(runs, fails), passed)
      sealFolder(join(runs, fails), record, null, reportFiles)
    },
    listed: { [fails]: /not signed/ },
    count: ['1.0'],
  },
  'the same, signed by another': {
    act: ({ runs, keys }) => {
      const record = editRecord(join(runs, fails), passed)
      sealFolder(join(runs, fails), record, signerFrom(`file:${keys.other}`, {}), reportFiles)
    },
    listed: { [fails]: /not signed by a given key/ },
    count: ['1.0'],
  },
  'a run of another signer was added': {
    act: (place) => add(place, later, 'other'),
    listed: { '1.2': /not signed by a given key/ },
    count: both,
  },
  'an unsigned run was added': {
    act: (place) => add(place, later, null),
    listed: { '1.2': /not signed/ },
    count: both,
  },
  'the seal of the run that passes was put on the other': {
    act: ({ runs }) => {
      for (const file of ['statement.dsse.json', 'manifest.json'])
        cpSync(join(runs, '1.0', file), join(runs, fails, file))
    },
    listed: { [fails]: /its statement is about another run\.json/ },
    count: ['1.0'],
  },
  'a run says that it is of another version': {
    act: ({ runs }) => edit(join(runs, '1.0', 'run.json'), (text) => text.replaceAll('"1.0"', '"2.0"')),
    listed: { '1.0': /its statement is about another run\.json/ },
    count: [fails],
  },
  'the journal is cut off': {
    act: ({ runs }) => truncateSync(join(runs, fails, 'journal.ndjson'), 5_000),
    listed: { [fails]: /journal\.ndjson: changed/ },
    count: ['1.0'],
  },
  'the record is cut off': {
    act: ({ runs }) => truncateSync(join(runs, fails, 'run.json'), 1_000),
    listed: { [fails]: /run\.json: SyntaxError/ },
    count: ['1.0'],
  },
  'the record is a folder': {
    act: ({ runs }) => {
      rmSync(join(runs, fails, 'run.json'))
      mkdirSync(join(runs, fails, 'run.json'))
    },
    listed: { [fails]: /run\.json: (?:removed|is not there)/ },
    count: ['1.0'],
  },
  'the record is a pipe, which would never end': {
    act: ({ runs }) => {
      rmSync(join(runs, fails, 'run.json'))
      execFileSync('mkfifo', [join(runs, fails, 'run.json')])
    },
    listed: { [fails]: /run\.json: cannot be read/ },
    count: ['1.0'],
  },
  'the record says a member twice': {
    act: ({ runs }) =>
      edit(join(runs, fails, 'run.json'), (text) => text.replace('{', '{ "conformance": "conformant",')),
    listed: { [fails]: /another reader may find something else in it/ },
    count: ['1.0'],
  },
  'the manifest is gone': {
    act: ({ runs }) => rmSync(join(runs, fails, 'manifest.json')),
    listed: { [fails]: /there is no manifest\.json/ },
    count: ['1.0'],
  },
  'all is gone but the plan and the journal': {
    act: ({ runs }) => {
      for (const file of ['run.json', 'manifest.json', 'statement.dsse.json']) rmSync(join(runs, fails, file))
    },
    listed: { [fails]: /cut off or still running/ },
    count: ['1.0'],
  },
  'a run lies in the evidence of another': {
    act: ({ runs }) => cpSync(join(runs, '1.0'), join(runs, fails, 'evidence', 'more'), { recursive: true }),
    listed: { [fails]: /added, or there before the run/ },
    count: ['1.0'],
  },
  'a run is dated in the future': {
    act: (place) => add(place, { ...later, startedAt: '2126-09-01T09:00:00.000Z' }, 'own'),
    listed: { '1.2': /dated in the future/ },
    count: both,
  },
  'another run has the id of one that counts': {
    act: (place) => {
      const { run } = JSON.parse(readFileSync(join(place.runs, fails, 'run.json'), 'utf8')) as RunRecord
      add(place, { ...later, id: run.id }, 'own')
    },
    listed: { [fails]: /has the same run id/, '1.2': /has the same run id/ },
    count: ['1.0'],
  },
  'a run was copied': {
    act: ({ runs }) => cpSync(join(runs, '1.0'), join(runs, 'archive', 'deep', 'copy'), { recursive: true }),
    listed: { 'archive/deep/copy': /a copy of 1\.0, which counts/ },
    count: both,
  },
  'a link leads out of the folder': {
    act: ({ runs, elsewhere }) => {
      renameSync(join(runs, fails), join(elsewhere, 'run'))
      symlinkSync(join(elsewhere, 'run'), join(runs, fails))
    },
    listed: { [fails]: /a link: it was not followed/ },
    count: ['1.0'],
  },
  'the record is a link out of the folder': {
    act: ({ runs, elsewhere }) => {
      renameSync(join(runs, fails, 'run.json'), join(elsewhere, 'run.json'))
      symlinkSync(join(elsewhere, 'run.json'), join(runs, fails, 'run.json'))
    },
    listed: { [fails]: /run\.json: (?:is a link|cannot be read)/ },
    count: ['1.0'],
  },
  'a statement never ends': {
    act: ({ runs }) => truncateSync(join(runs, fails, 'statement.dsse.json'), 2 ** 32),
    listed: { [fails]: /is no signed statement/ },
    count: ['1.0'],
  },
}
