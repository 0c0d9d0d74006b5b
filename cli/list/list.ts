/** `touchstone list`: what there is of the contract, the suites and the simulator, in the words of the command line. */
import { areaOf, areas, clauseIds, clauses, clauseText, contractWords } from '../../spec/index.ts'
import { gapIds, gaps, type Area, type ClauseId, type Gap, type Identifiers } from '../../spec/index.ts'
import { listEntry, row, type CommandAnswer } from '../command.ts'
import { alternatives } from '../nearest.ts'
import { flag, identifiersFrom, vendorFlags } from '../options.ts'
import { UsageError } from '../usage-error.ts'

interface Entry {
  json: object
  areas: readonly Area[]
  lines: readonly [heading: string, ...paragraphs: string[]]
}

const areasOf = (subjects: readonly string[]): readonly Area[] =>
  [...new Set(subjects)].flatMap((subject) => areaOf[subject as ClauseId] ?? [])

const lists = {
  clauses: (identifiers: Identifiers): readonly Entry[] =>
    clauseIds.map((id) => {
      const one = { id, area: areaOf[id], ...clauses[id], text: clauseText(id, identifiers) }
      return {
        json: one,
        areas: [one.area],
        lines: [`${id}  ${one.level}`, one.text, `(${contractWords(one)})`],
      }
    }),
  gaps: (): readonly Entry[] =>
    gapIds.map((id) => {
      const one: Gap = gaps[id]
      const choices = Object.entries(one.interpretations).map(
        ([name, words], at) => `- ${name}${at === 0 ? ' (default)' : ''}: ${words}`,
      )
      const lines = [`${id}  ${one.kind}`, one.question, `Not judged: ${one.unjudged}`, ...choices] as const
      return { json: { id, ...one }, areas: [], lines }
    }),
  scenarios: async (): Promise<readonly Entry[]> => {
    const { serverScenarios } = await import('../../suites/scenarios.ts')
    const { clientScenarios } = await import('../../suites/clients/index.ts')
    const { receiverScenarios } = await import('../../suites/receivers/index.ts')
    return Object.entries({ ...serverScenarios, ...clientScenarios, ...receiverScenarios }).map(
      ([id, { title, profile = 'standard', cost, judge, observe }]) => {
        const [judges, observes] = [Object.keys(judge), Object.keys(observe ?? {})]
        const lines = [id, title, [...judges, ...observes].join(' ')] as const
        return { json: { id, title, profile, cost, judges, observes }, areas: areasOf(judges), lines }
      },
    )
  },
  situations: async (_: Identifiers, word: string): Promise<readonly Entry[]> => {
    const { createSimulator, situations, situationNames } = await import('../../simulator/index.ts')
    const asked = situationNames.find((name) => name === word)
    const simulator = asked && (await createSimulator({ clock: { mode: 'frozen' } }))
    const { steps = [], ...members } = (asked && (await simulator?.tenant.prepareSituation(asked))) ?? {}
    await simulator?.close()
    return Object.entries(situations).map(([name, { title, shows }]) => {
      const has = Object.keys(members)
      const more = [
        `Members: ${has.join(', ')}.`,
        'Steps that show it:',
        ...steps.map(({ does, status }) => `- ${does}${status === null ? '' : ` (${status})`}`),
      ]
      return {
        json: { name, title, shows, ...(name === asked && { members: has, steps }) },
        areas: [],
        lines: [name, `${title}.`, `Shows: ${shows}.`, ...(name === asked ? more : [])],
      }
    })
  },
  faults: async (): Promise<readonly Entry[]> => {
    const { faults } = await import('../../simulator/index.ts')
    const { listed } = await import('../../reports/findings/card.ts')
    const { checksOf, killMatrix } = await import('../../reports/proof/kill-matrix.ts')
    return Object.entries(faults).map(([name, { title, breaks }]) => {
      const checks = checksOf(killMatrix.faults[name]?.kills)
      const found = checks.length > 0 ? [`(found by ${listed(checks)})`] : []
      return {
        json: { name, title, breaks, checks },
        areas: areasOf(breaks),
        lines: [name, title, `(breaks ${breaks.join(', ')})`, ...found],
      }
    })
  },
  variants: async (): Promise<readonly Entry[]> => {
    const { variants } = await import('../../simulator/index.ts')
    return Object.entries(variants).map(([name, { title, allowed }]) => ({
      json: { name, title, allowed },
      areas: [],
      lines: [name, title, `(allowed: ${allowed})`],
    }))
  },
} as const

export const listKinds = Object.keys(lists) as readonly (keyof typeof lists)[]

export const list = row({
  name: 'list',
  description: 'list clauses, gaps, scenarios, situations, faults or variants',
  argument: ['<what>', 'clauses, gaps, scenarios, situations, faults or variants'],
  other: ['[word]', 'only what has this word, in any case'],
  options: [
    [
      '--area <area>',
      'only what is about this area: of clauses, scenarios and faults',
      Object.keys(areas) as Area[],
    ],
    flag.json,
    ...vendorFlags,
  ],
  help: `
clauses     of the contract
gaps        points that the contract leaves unspecified, for --interpret GAP=INTERPRETATION
scenarios   of the suites, with their clauses; those of clients and receivers begin so
situations  of the simulator, for --situation; of one name also its members and steps
faults      deliberate defects of the simulator, for --fault, and the checks that find them
variants    unusual, conforming behaviours of the simulator, for --variant

Examples:
  touchstone list clauses replay
  touchstone list faults --area idempotency`,
  async run([what = '', word = ''], { area, ...vendor }, io): Promise<CommandAnswer> {
    const kind = listKinds.find((name) => name === what)
    if (kind === undefined) throw new UsageError(`list ${what}: ${alternatives(what, listKinds)}`)
    const all = await lists[kind](identifiersFrom(vendor), word)
    const wanted = word.toLowerCase()
    const found = all
      .filter((one) => area === undefined || one.areas.includes(area))
      .filter(({ lines }) => lines.some((text) => text.toLowerCase().includes(wanted)))
    const text = () =>
      found.map(({ lines: [heading, ...rest] }) => listEntry(heading, rest, io.width)).join('')
    const of = found.length === all.length ? '' : ` of ${all.length}`
    return { text, json: found.map(({ json }) => json), note: `${found.length}${of} ${kind}\n` }
  },
})
