/** What chooses the tenant of a request. */
import { headerValues } from './call.ts'
import type { RequestHead } from './http-server.ts'

/** The API key or session token of a request, whatever stands before it; empty where there is none. */
export function authorizationTokenOf(head: RequestHead): string {
  const [authorization = ''] = headerValues(head, 'authorization')
  return authorization.slice(authorization.lastIndexOf(' ') + 1)
}
