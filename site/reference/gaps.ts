import { gapAreas, type Gap, type GapArea } from '../../spec/index.ts'
import { anchored, codeSpan, markdownText, paragraphs } from './markdown.ts'

/** How the page calls each part, and whose behaviour an interpretation there is. */
const parts: Record<GapArea, { title: string; about: string }> = {
  chat: { title: 'Chat', about: 'Turns, streams, idempotency, pauses, Workflow content, credits and rates.' },
  operations: {
    title: 'Operations',
    about: 'The catalog, receipts, tasks, approvals, uploads and billing reads.',
  },
  webhooks: { title: 'Webhooks', about: 'Their management, deliveries, attempts, signatures and logs.' },
  clients: {
    title: 'Clients',
    about:
      'The client library and the command line. An interpretation here is one of a client, not of the simulator.',
  },
  service: { title: 'The service as a whole', about: 'Keys, plans, versions and the older variant.' },
}

const kinds: Record<Gap['kind'], string> = {
  'not-shown': 'The contract says that it does not show this.',
  ambiguous: 'The contract can be read in more than one way.',
  silent: 'The contract does not touch this.',
}

function row(id: string, gap: Gap): string {
  const [standard, ...others] = Object.entries(gap.interpretations).map(
    ([name, words]) => `${codeSpan(name)}: ${markdownText(words)}`,
  )
  const lines = [
    `- ${markdownText(gap.source)}. ${kinds[gap.kind]}`,
    `- By default, ${standard}`,
    ...others.map((other) => `- Or ${other}`),
    `- Not judged: ${markdownText(gap.unjudged)}`,
  ]
  return paragraphs([anchored(3, id, id), markdownText(gap.question), lines.join('\n')])
}

function section(area: GapArea): string {
  const { title, about } = parts[area]
  const rows = Object.entries<Gap>(gapAreas[area]).map(([id, gap]) => row(id, gap))
  return paragraphs([`## ${title}`, about, ...rows])
}

/** Every point that the contract leaves unspecified, with its interpretations. */
export function gapsPage(): string {
  return paragraphs([
    '# Unspecified points',
    'What the simulator does at each of them, what else a conforming server may do, and what is not judged: [what the contract leaves open](../contract-gaps.md).',
    ...(Object.keys(gapAreas) as GapArea[]).map(section),
  ])
}
