/** The commands that write and examine target files, and what they show of the contract. */
import { actors, areaOf, areas, clauseIds, clauses, clauseText, contractWords } from '../../spec/index.ts'
import { gapIds, gaps, levels, type Area, type Gap } from '../../spec/index.ts'
import { listEntry, row, targetArgument, type CommandAnswer } from '../command.ts'
import type { Io } from '../io.ts'
import { flag, identifiersFrom, vendorFlags } from '../options.ts'
import { UsageError } from '../usage-error.ts'
import { doctorFlags, initFlags, planFlags, specFlags } from './options.ts'

export const inspectRows = [
  row({
    name: 'init',
    description: 'write a target file with a comment for each key',
    argument: ['[file]', 'the target file to write', 'touchstone.yaml'],
    options: initFlags,
    help: `
Without options, in a terminal, the command prompts for each value. Every value can be env:NAME.

If address, key and agent are set, the command announces and sends one turn and its replay to find
the vendor's word. With --vendor WORD it sends nothing.

Examples:
  touchstone init
  touchstone init staging.yaml --short
  touchstone init staging.yaml --base-url https://staging.example --api-key env:STAGING_KEY --agent agent_1`,
    run: async ([file = ''], given, io) => (await import('../init/init.ts')).init(file, given, io),
  }),
  row({
    name: 'doctor',
    description: 'check a target file against the live target, with few requests and at most 8 turns',
    argument: targetArgument,
    options: doctorFlags,
    help: `
✓ ok, ✗ wrong or missing, – not checked.

Exit codes:
  0  nothing contradicts the file
  2  the file, or something it declares, is wrong
  3  something the file relies on is missing
  4  target unreachable`,
    run: async ([named], given, io) => (await import('../doctor/doctor.ts')).doctor(named, given, io),
  }),
  row({
    name: 'plan',
    description: 'list the checks of a run and its maximum cost, without sending requests',
    argument: targetArgument,
    options: planFlags,
    run: async ([named], given, io) => (await import('../plan/plan.ts')).plan(named, given, io),
  }),
  row({
    name: 'spec',
    description: 'write the OpenAPI and AsyncAPI documents of the contract, each in one file',
    options: specFlags,
    help: `
Writes openapi.yaml, openapi.json, asyncapi.yaml and asyncapi.json, each self-contained. With
--vendor, header names, constants, examples and descriptions contain the identifiers of the vendor.

Examples:
  touchstone spec --out api
  touchstone spec --vendor acme --out api

Exit codes:
  0  the four files are written
  2  wrong usage, a file of another origin exists, or the folder cannot be written`,
    run: async (_, given) => (await import('../spec/spec.ts')).spec(given),
  }),
]

/** A list in the words of the command, with its length below. */
function listed<T>(
  name: string,
  rows: readonly T[],
  { width }: Io,
  entryOf: (one: T) => readonly [heading: string, ...paragraphs: string[]],
): CommandAnswer {
  const text = () =>
    rows
      .map(entryOf)
      .map(([heading, ...paragraphs]) => listEntry(heading, paragraphs, width))
      .join('')
  return { text, json: rows, note: `${rows.length} ${name}\n` }
}

const list = (name: string, description: string, run: (io: Io) => CommandAnswer | Promise<CommandAnswer>) =>
  row({ name, description, options: [flag.json], run: (_, __, io) => run(io) })

export const listRows = [
  row({
    name: 'clauses',
    description: 'list the clauses of the contract',
    options: [
      ['--area <area>', 'list only clauses of this area', Object.keys(areas) as Area[]],
      ['--level <level>', 'list only clauses of this level', levels],
      ['--actor <actor>', 'list only clauses for this party', actors],
      [
        '--diff <set...>',
        'list what changes from one clause set to another: names, or files',
        { conflicts: ['area', 'level', 'actor'] },
      ],
      ['--run <folder>', 'with --diff: list the verdicts of this run that change, too'],
      flag.json,
      ...vendorFlags,
    ],
    help: `
Examples:
  touchstone clauses --area idempotency --level should
  touchstone clauses --diff 2026-11 next.yaml --run touchstone-report`,
    async run(_, { diff, run, area, level, actor, ...vendor }, io) {
      if (diff !== undefined) return (await import('../clause-sets.ts')).setDiff({ ...vendor, diff, run }, io)
      if (run !== undefined) throw new UsageError('--run needs --diff with two clause sets.')
      const identifiers = identifiersFrom(vendor)
      const rows = clauseIds
        .map((id) => ({ id, area: areaOf[id], ...clauses[id], text: clauseText(id, identifiers) }))
        .filter((one) => [one.area, undefined].includes(area))
        .filter((one) => [one.level, undefined].includes(level) && [one.actor, undefined].includes(actor))
      return listed('clauses', rows, io, (one) => [
        `${one.id}  ${one.level}`,
        one.text,
        `(${contractWords(one)})`,
      ])
    },
  }),

  list('gaps', 'list the points that the contract leaves unspecified, with their interpretations', (io) => ({
    ...listed(
      'gaps',
      gapIds.map((id) => ({ id, ...(gaps[id] satisfies Gap) })),
      io,
      (one) => [
        `${one.id}  ${one.kind}`,
        one.question,
        `Not judged: ${one.unjudged}`,
        ...Object.entries(one.interpretations).map(
          ([name, words], at) => `- ${name}${at === 0 ? ' (default)' : ''}: ${words}`,
        ),
      ],
    ),
    note: `${gapIds.length} gaps; choose an interpretation with --interpret GAP=INTERPRETATION\n`,
  })),
  list('scenarios', 'list the scenarios of the suites and their clauses', async (io) => {
    const { serverScenarios } = await import('../../suites/scenarios.ts')
    const rows = Object.entries(serverScenarios).map(
      ([id, { title, profile = 'standard', cost, judge, observe = {} }]) => ({
        id,
        title,
        profile,
        cost,
        judges: Object.keys(judge),
        observes: Object.keys(observe),
      }),
    )
    return listed('scenarios', rows, io, ({ id, title, judges, observes }) => [
      id,
      title,
      [...judges, ...observes].join(' '),
    ])
  }),
  list('situations', 'list the situations of the simulator, for --situation', async (io) => {
    const { situations } = await import('../../simulator/index.ts')
    const rows = Object.entries(situations).map(([name, { title, shows }]) => ({ name, title, shows }))
    return listed('situations', rows, io, ({ name, title, shows }) => [name, `${title}.`, `Shows: ${shows}.`])
  }),
  list('faults', 'list the deliberate defects of the simulator, for --fault', async (io) => {
    const { faults } = await import('../../simulator/index.ts')
    return noted('faults', faults, io, ({ breaks }) => `breaks ${breaks.join(', ')}`)
  }),
  list('variants', 'list unusual, conforming behaviours of the simulator, for --variant', async (io) => {
    const { variants } = await import('../../simulator/index.ts')
    return noted('variants', variants, io, ({ allowed }) => `allowed: ${allowed}`)
  }),
]

function noted<T extends { title: string }>(
  kind: string,
  all: Readonly<Record<string, T>>,
  io: Io,
  noteOf: (one: T) => string,
): CommandAnswer {
  const rows = Object.entries(all).map(([name, one]) => ({ name, title: one.title, note: noteOf(one) }))
  return listed(kind, rows, io, ({ name, title, note }) => [name, title, `(${note})`])
}
