import { gapAreas, type Gap, type GapArea } from '../../spec/index.ts'

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

const introduction = `<!-- Written by \`npm run generate\` from \`spec/gaps/\`; edit the tables, not this page. -->

# What the contract leaves open

No suite fails a target over anything on this page. Where the contract is open the simulator still has to do
something: the first interpretation of each gap is what it does by default, and it can be switched to each of the
others by naming the gap and the interpretation. Every interpretation is one that a conforming server might have, so a
client that works under one of them only relies on more than the contract promises.`

function row(id: string, gap: Gap): string {
  const [standard, ...others] = Object.entries(gap.interpretations).map(
    ([name, words]) => `\`${name}\`: ${words}`,
  )
  const lines = [
    `- ${gap.source}. ${kinds[gap.kind]}`,
    `- By default, ${standard}`,
    ...others.map((other) => `- Or ${other}`),
    `- Not judged: ${gap.unjudged}`,
  ]
  return `### ${id}\n\n${gap.question}\n\n${lines.join('\n')}`
}

function section(area: GapArea): string {
  const { title, about } = parts[area]
  const rows = Object.entries<Gap>(gapAreas[area]).map(([id, gap]) => row(id, gap))
  return [`## ${title}`, about, ...rows].join('\n\n')
}

/** The page `docs/contract-gaps.md`: every gap with its interpretations, as Markdown. */
export function gapsPage(): string {
  const areas = Object.keys(gapAreas) as GapArea[]
  return `${[introduction, ...areas.map(section)].join('\n\n')}\n`
}
