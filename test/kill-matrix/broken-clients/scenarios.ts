/** The scenarios that a copy runs: others do not concern its defect and take as long. */
const turns = [
  'client-chat/*',
  'client-chat-addresses/*',
  'client-replies/*',
  'client-refusals/*',
  'client-cuts/*',
]
const streams = ['client-stream-*']
const writes = ['client-operations/*', 'client-uploads/*']
const reads = [
  'client-billing/*',
  'client-discovery/*',
  'client-tasks/*',
  'client-approvals/*',
  'client-operation-addresses/*',
  'client-kept/*',
]

export const about = {
  turns,
  streams,
  retries: [...turns, ...writes],
  operations: [...writes, ...reads],
  everything: [...turns, ...streams, ...writes, ...reads],
} as const

export function onlyFor<C extends object>(
  scenarios: readonly string[],
  clients: Readonly<Record<string, C>>,
): Readonly<Record<string, C & { scenarios: readonly string[] }>> {
  return Object.fromEntries(Object.entries(clients).map(([name, client]) => [name, { scenarios, ...client }]))
}
