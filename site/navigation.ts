/** Which page is where: four paths for readers, then what they look up. */

export interface Section {
  readonly title: string
  /** Site paths without `.md`, in the order in which they are read. */
  readonly pages: readonly string[]
}

export const sections: readonly Section[] = [
  { title: 'Install', pages: ['install', 'ci'] },
  {
    title: 'Check a server',
    pages: [
      'check',
      'target-file',
      'guide-live',
      'policy',
      'clause-sets',
      'reports',
      'replay',
      'diff',
      'shards',
      'verify',
      'certify',
      'vendor',
      'older-variant',
    ],
  },
  {
    title: 'Simulate',
    pages: [
      'simulate',
      'console',
      'situations',
      'situations-operations',
      'replies',
      'guide-embedding',
      'tenant',
      'guide-python',
      'guide-go',
      'guide-java',
      'containers',
      'kits',
      'guide-processes',
      'webhooks',
      'operations',
      'mcp',
      'durable',
      'shared',
      'security',
      'retention',
      'measured/performance',
      'scale',
    ],
  },
  { title: 'Judge a client', pages: ['guide-client', 'client', 'client-dialect', 'command-line'] },
  { title: 'Judge a receiver', pages: ['receiver'] },
  {
    title: 'Reference',
    pages: [
      'reference/touchstone',
      'reference/service-client',
      'reference/target-file',
      'reference/api',
      'reference/events',
      'reference/control-api',
      'reference/run-api',
      'reference/clauses',
      'reference/faults',
      'reference/variants',
      'reference/broken-copies',
      'reference/errors',
      'reference/gaps',
      'contract-gaps',
      'glossary',
    ],
  },
  {
    title: 'Why a verdict can be trusted',
    pages: ['proof', 'kill-matrix', 'measured/defects', 'mutation', 'moving-names', 'fuzzing', 'referee'],
  },
  {
    title: 'Project',
    pages: ['architecture', 'contributing', 'versions', 'changelog', 'decisions/index'],
  },
]

/** Where the generated reference of a page is. */
export const references: Readonly<Record<string, string>> = {
  'target-file': 'reference/target-file',
  'contract-gaps': 'reference/gaps',
  'kill-matrix': 'reference/clauses',
  'command-line': 'reference/service-client',
  simulate: 'reference/control-api',
  check: 'reference/touchstone',
}
