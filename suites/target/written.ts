/** A target file as it is written, before references and secrets are looked up. */
export interface TargetFile {
  target: {
    name: string
    kind: 'simulator' | 'staging' | 'production'
    baseUrl: string
    headers?: Record<string, string>
  }
  principals: Record<string, WrittenPrincipal>
  agents: Record<string, string> & { plain: string }
  states: Record<string, WrittenProvision>
  control?: { url: string; token?: string }
  dialect?: { rateHeaders?: string[]; errorCode?: string; buttons?: string[] }
  budgets?: Record<string, number>
  optIn?: ('slow' | 'costly' | 'destructive')[]
  profile?: 'smoke' | 'standard' | 'exhaustive'
  exclusiveCredits?: boolean
  timing?: { clock?: 'real' | 'control'; answerTimeoutMs?: number }
  policy?: { expectedNotExercised?: string[]; knownFailures?: WrittenFailure[] }
}

interface WrittenPrincipal {
  bearer: string
  scopes: ('chat' | 'read_agents' | 'billing_read' | 'knowledge.write' | 'agent_design_read')[]
  agents?: '*' | string[]
  account?: string
  sacrificial?: boolean
}

export interface WrittenProvision {
  provide: 'wire' | 'fixture' | 'control' | 'none'
  agent?: string
  message?: string
  principal?: string
  why?: string
}

interface WrittenFailure {
  check: string
  owner: string
  reason: string
  expires: string
  fingerprint?: string
}
