/** Options of `touchstone init`. */

export interface InitOptions {
  name?: string
  kind?: 'staging' | 'production'
  baseUrl?: string
  apiKey?: string
  agent?: string
  secondAgent?: string
  pausedAgent?: string
  session?: string
  receiver?: string
  operation?: string
  vendor?: string
  force?: true
}
