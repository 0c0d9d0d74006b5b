/** What chooses the tenant of a request. */
import { headerValues } from './call.ts'
import type { Knock } from './door.ts'

/** The API key or session token of a request, whatever stands before it; empty where there is none. */
export function tokenOf(knock: Knock): string {
  const [authorization = ''] = headerValues(knock, 'authorization')
  return authorization.slice(authorization.lastIndexOf(' ') + 1)
}
