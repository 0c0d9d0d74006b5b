/** Clauses × checks × faults: a page for each area of the contract. */
import { checksOf, killersOf, killMatrix } from '../../reports/proof/kill-matrix.ts'
import { areaOf, areas, clauses, contractWords, states, type Area, type ClauseId } from '../../spec/index.ts'
import { variants } from '../../simulator/index.ts'
import { clientScenarios, clientScenariosFor } from '../../suites/clients/index.ts'
import { uncoveredOfClients } from '../../suites/clients/uncovered.ts'
import { receiverScenarios } from '../../suites/receivers/index.ts'
import { uncoveredOfReceivers } from '../../suites/receivers/uncovered.ts'
import type { AnyScenario } from '../../suites/scenario/scenario.ts'
import { serverScenarios } from '../../suites/scenarios.ts'
import { uncovered } from '../../suites/uncovered.ts'
import { anchored, anchorOf, codeSpan, markdownTable, paragraphs, markdownText } from './markdown.ts'

const allScenarios: Readonly<Record<string, AnyScenario>> = {
  ...serverScenarios,
  ...receiverScenarios,
  ...clientScenarios,
  ...clientScenariosFor('library'),
  ...clientScenariosFor('command-line'),
}

const untestable: Readonly<Partial<Record<ClauseId, string>>> = {
  ...uncovered,
  ...uncoveredOfReceivers,
  ...uncoveredOfClients,
}

/** Checks by the clause that they judge, in the order of the suites. */
const checks = Map.groupBy(
  Object.entries(allScenarios).flatMap(([scenario, { judge }]) =>
    Object.keys(judge).map((clause) => ({ scenario, clause })),
  ),
  ({ clause }) => clause,
)

/** Two faults are proof enough: the page of faults has them all. */
const shownFaults = 2

const faultLink = (fault: string): string => {
  const page = fault in killMatrix.faults ? 'faults' : 'broken-copies'
  return `[${codeSpan(fault)}](../${page}.md#${anchorOf(fault)})`
}

function checkTable(id: ClauseId): string {
  const own = checks.get(id) ?? []
  if (own.length === 0) return `**Not tested:** ${markdownText(untestable[id] ?? 'no scenario judges it.')}`
  const rows = own.map(({ scenario }) => {
    const killers = killersOf(`${scenario}/${id}`)
    const more = killers.length > shownFaults ? ` and ${killers.length - shownFaults} more` : ''
    const named = killers.slice(0, shownFaults).map(({ fault }) => faultLink(fault))
    return [
      codeSpan(scenario),
      markdownText(allScenarios[scenario]?.title ?? ''),
      `${named.join(', ')}${more}`,
    ]
  })
  return markdownTable(['scenario', 'what it shows', 'fails with'], rows)
}

function clauseSection(id: ClauseId): string {
  const clause = clauses[id]
  const needs = clause.state
    ? ` Needs the state ${codeSpan(clause.state)}: ${states[clause.state].means}`
    : ''
  return paragraphs([
    anchored(2, id, id),
    `**${clause.level.toUpperCase()}**, ${clause.actor}. ${markdownText(clause.text)}`,
    `Contract: ${markdownText(contractWords(clause))}.${markdownText(needs)}`,
    checkTable(id),
  ])
}

const idsOf = (area: Area): readonly ClauseId[] => Object.keys(areas[area]) as ClauseId[]

function areaPage(area: Area): string {
  return paragraphs([
    `# Clauses: ${area}`,
    'Each clause with the scenarios that judge it, and the faults that were seen to fail each check.',
    ...idsOf(area).map(clauseSection),
  ])
}

function clausesIndex(): string {
  const rows = (Object.keys(areas) as Area[]).map((area) => {
    const ids = idsOf(area)
    const must = ids.filter((id) => clauses[id].level === 'must').length
    const count = ids.reduce((sum, id) => sum + (checks.get(id)?.length ?? 0), 0)
    return [`[${area}](clauses/${area}.md)`, must, ids.length - must, count].map(String)
  })
  return paragraphs([
    '# Clauses, checks and faults',
    'A clause is one statement of the contract. A check is one clause, judged in one scenario. A fault is a deliberate defect that fails at least one check: [how it is measured](../kill-matrix.md).',
    markdownTable(['area', 'MUST clauses', 'SHOULD clauses', 'checks'], rows),
  ])
}

/** What a line of the kill matrix fails: clauses, with the number of scenarios. */
function failedBy(line: Parameters<typeof checksOf>[0]): string {
  const ids = checksOf(line).map((check) => check.slice(check.lastIndexOf('/') + 1) as ClauseId)
  const counted = [...Map.groupBy(ids, (id) => id)]
  const link = (id: ClauseId): string => `[${id}](clauses/${areaOf[id]}.md#${anchorOf(id)})`
  return counted
    .map(([id, own]) => `${link(id)}${own.length > 1 ? ` (${own.length} checks)` : ''}`)
    .join(', ')
}

function killsPage(title: string, about: string, kinds: readonly (keyof typeof killMatrix)[]): string {
  const sections = kinds.flatMap((kind) =>
    Object.entries(killMatrix[kind]).flatMap(([name, { title: what, kills }]) => [
      anchored(2, name, name),
      markdownText(what),
      `Fails: ${failedBy(kills)}`,
    ]),
  )
  return paragraphs([`# ${title}`, about, ...sections])
}

function variantsPage(): string {
  const rows = Object.entries<{ title: string; allowed: string }>(variants)
  const sections = rows.flatMap(([name, { title, allowed }]) => [
    anchored(2, name, name),
    markdownText(title),
    `Allowed: ${markdownText(allowed)}`,
  ])
  return paragraphs([
    '# Variants of the simulator',
    'Unusual behaviours that conform: no check may fail with one. Enable one with `touchstone simulate --variant NAME`.',
    ...sections,
  ])
}

/** Pages by their path. */
export function clausePages(): Readonly<Record<string, string>> {
  return {
    'reference/clauses.md': clausesIndex(),
    ...Object.fromEntries(
      (Object.keys(areas) as Area[]).map((area) => [`reference/clauses/${area}.md`, areaPage(area)]),
    ),
    'reference/faults.md': killsPage(
      'Faults of the simulator',
      'Enable one with `touchstone simulate --fault NAME`. Each fails the checks of these clauses, in every run that was measured.',
      ['faults'],
    ),
    'reference/variants.md': variantsPage(),
    'reference/broken-copies.md': killsPage(
      'Broken receivers and clients',
      'Copies of a conforming receiver and client with one defect each, and the checks that fail.',
      ['receivers', 'clients'],
    ),
  }
}
