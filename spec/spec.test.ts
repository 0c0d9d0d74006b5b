import { globSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  areas,
  chatAreas,
  chatErrors,
  chatStatuses,
  clauses,
  contractWords,
  defaultInterpretations,
  finalTaskStates,
  gapAreas,
  gapIds,
  gaps,
  limits,
  notShownPlaces,
  retiredWebhookEvent,
  states,
  taskStates,
  webhookEvents,
  type Clause,
  type Gap,
} from './index.ts'

const upperKebab = /^[A-Z][A-Z0-9]*(-[A-Z0-9]+)+$/
const lowerKebab = /^[a-z0-9]+(-[a-z0-9]+)*$/
const rows: [id: string, clause: Clause][] = Object.entries(clauses)
const gapRows: [id: string, gap: Gap][] = Object.entries(gaps)

/** The ids that stand more than once when the tables are laid side by side; a merged object hides them. */
function repeated(tables: readonly Record<string, unknown>[]): string[] {
  const ids = tables.flatMap((table) => Object.keys(table))
  return ids.filter((id, index) => ids.indexOf(id) !== index)
}

function broken(holds: (clause: Clause) => boolean): string[] {
  return rows.filter(([, clause]) => !holds(clause)).map(([id]) => id)
}

/** What separates the cells of a table is no word. */
function isPhrase(text: string): boolean {
  const words = text.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word))
  return text !== '' && text === text.trim() && words.length <= 12
}

describe('clauses', () => {
  test('no id stands in two areas', () => {
    expect(repeated(Object.values(areas))).toEqual([])
  })

  test.for(Object.entries(areas))('ids of %s are in capitals and begin alike', ([, table]) => {
    const ids = Object.keys(table)
    expect(ids.filter((id) => !upperKebab.test(id))).toEqual([])
    expect(new Set(ids.map((id) => id.split('-')[0])).size).toBe(1)
  })

  test('each table of a file is an area', async () => {
    const files = globSync('*.ts', { cwd: new URL('clauses/', import.meta.url) })
    const modules = files.filter((name) => name !== 'index.ts').map((name) => import(`./clauses/${name}`))
    const tables = (await Promise.all(modules)).flatMap((module) => Object.values(module as object))
    expect(new Set(tables)).toEqual(new Set(Object.values(areas)))
  })

  test('each says in one sentence or more what holds, and where the contract says so', () => {
    expect(broken(({ text }) => /^[^\s].{10,}\.$/.test(text))).toEqual([])
    expect(
      broken(({ source }) =>
        /^(What|Resources|States|Endpoints|Auth|Events|Errors|Limits|Vers)/.test(source),
      ),
    ).toEqual([])
  })

  test('each that is more than good practice names a phrase of the contract that decides it', () => {
    const bare = broken(({ basis, rests }) => basis === 'advised' || rests.length > 0)
    expect(bare, "quote a phrase of the contract, or say basis: 'advised'").toEqual([])
  })

  test('a phrase has at most twelve words, and stands at one place that the clause names', () => {
    expect(broken(({ rests }) => rests.every(({ phrase }) => isPhrase(phrase)))).toEqual([])
    expect(
      broken(({ source, rests }) => rests.every((rest) => source.split('; ').includes(rest.source))),
    ).toEqual([])
  })

  test('the places of a clause are shown with its phrases', () => {
    expect(contractWords(clauses['IDEM-REPLAY-FREE'])).toBe(
      'States and transitions, Key completed: "turn not run again"; States and transitions, Chat key unused: "credits are consumed when the turn completes"',
    )
    expect(contractWords({ source: 'Limits', rests: [] })).toBe('Limits')
  })

  test('no two say the same', () => {
    const texts = rows.filter(([id]) => !isChat(id)).map(([, { text, actor }]) => `${actor}: ${text}`)
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([])
  })

  test('good practice alone is never a must', () => {
    expect(broken(({ basis, level }) => basis !== 'advised' || level === 'should')).toEqual([])
  })

  test('what needs a state says so, and what happens inside needs none', () => {
    expect(broken(({ observe, state }) => state === undefined || observe === 'state')).toEqual([])
  })

  test('each webhook event has its clause', () => {
    const wanted = Object.keys(webhookEvents).map((name) => `EVT-${name.toUpperCase().replace(/[._]/g, '-')}`)
    expect(wanted.filter((id) => !(id in areas['webhook-events']))).toEqual([])
    const unnamed = Object.keys(webhookEvents).filter(
      (name) => !Object.values(areas['webhook-events']).some(({ text }) => text.includes(`\`${name}\``)),
    )
    expect(unnamed).toEqual([])
  })
})

function isChat(id: string): boolean {
  return chatAreas.some((area) => id in areas[area])
}

describe('gaps', () => {
  test('no id stands in two files', () => {
    expect(repeated(Object.values(gapAreas))).toEqual([])
    expect(Object.values(gapAreas).flatMap((table) => Object.keys(table))).toEqual(gapIds)
  })

  test.for(gapRows)('%s asks, and has an interpretation by default', ([id, gap]) => {
    expect(id).toMatch(/^GAP-[A-Z]+(-[A-Z]+)*$/)
    expect(gap.question).toMatch(/^[A-Z].+\?$/)
    expect(gap.unjudged).toMatch(/\.$/)
    expect(gap.source).not.toBe('')
    const interpretations = Object.entries(gap.interpretations)
    expect(interpretations.length).toBeGreaterThan(0)
    for (const [name, words] of interpretations) {
      expect(name).toMatch(lowerKebab)
      expect(words).toMatch(/\.$/)
    }
    expect(defaultInterpretations).toHaveProperty(id, interpretations[0]?.[0])
  })

  test('what can be read in two ways has two interpretations', () => {
    const single = gapRows.filter(
      ([, gap]) => gap.kind === 'ambiguous' && Object.keys(gap.interpretations).length < 2,
    )
    expect(single).toEqual([])
  })

  test('all 31 things that are not shown are accounted for', () => {
    expect(notShownPlaces).toHaveLength(31)
    expect(new Set(notShownPlaces.map(({ place }) => place)).size).toBe(31)
    const answered = new Set<string>(notShownPlaces.flatMap((row) => row.gaps))
    const kept = gapRows.filter(([, { kind }]) => kind === 'not-shown').map(([id]) => id)
    expect([...answered].sort()).toEqual(kept.sort())
  })

  test('each gap that a document names exists', () => {
    const spec = new URL('./', import.meta.url)
    const documents = readdirSync(spec, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(yaml|json)$/.test(path))
      .map((path) => readFileSync(new URL(path, spec), 'utf8'))
    const named = documents.flatMap((text) => text.match(/GAP-[A-Z]+(-[A-Z]+)*/g) ?? [])
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((id) => !(id in gaps))).toEqual([])
  })
})

describe('tables', () => {
  test('each error code comes with a status of the chat route', () => {
    const odd = Object.entries(chatErrors).filter(
      ([code, { status }]) => !/^[A-Z_]+$/.test(code) || !(status in chatStatuses),
    )
    expect(odd).toEqual([])
  })

  test('the clause of each chat error code names it', () => {
    const unnamed = Object.entries(chatErrors).filter(
      ([code, { clause }]) => !clauses[clause].text.includes(`\`${code}\``),
    )
    expect(unnamed).toEqual([])
  })

  test('there are eighteen webhook events, and the retired one is none of them', () => {
    expect(Object.keys(webhookEvents)).toHaveLength(18)
    expect(Object.keys(webhookEvents)).not.toContain(retiredWebhookEvent)
  })

  test('the final task states are the last three', () => {
    expect(taskStates.slice(3)).toEqual(finalTaskStates)
  })

  test.for([
    ['REQ-MESSAGE-MAX', limits.messageMaxCharacters],
    ['REQ-MESSAGE-OVER', limits.messageMaxCharacters + 1],
    ['IDEM-KEY-MAX', limits.idempotencyKeyMaxCharacters],
    ['IDEM-KEY-OVER', limits.idempotencyKeyMaxCharacters + 1],
    ['RATE-UPPER', 2 * limits.chatRequestsPerMinute],
    ['SIGN-LENGTH', limits.signatureHexCharacters],
    ['FLOW-PRESENTATION-VERSION', limits.presentationVersion],
  ] as const)('%s says the limit %i', ([id, limit]) => {
    expect(clauses[id].text).toMatch(new RegExp(`\\b${limit.toLocaleString('en')}\\b`))
  })

  test('each state is needed by a clause and says how it shows', () => {
    const needed = new Set(rows.flatMap(([, { state }]) => [state, `no-${state}`]))
    expect(Object.keys(states).filter((id) => ![...needed].some((state) => state === id))).toEqual([])
    expect(
      Object.values(states).filter(({ means, probe }) => !means.endsWith('.') || !probe.endsWith('.')),
    ).toEqual([])
  })
})
