/** What clients get wrong with what they keep from one call to the next. */
import { fails, type BrokenClient } from './patch.ts'
import { onlyFor } from './scenarios.ts'

const reading =
  'export function billing(service: Service, read: string, limit?: number): Promise<Members> {\n'
const asking = "send(service, { method: 'GET', path: '/api/v1/operations' }, json)"

export const brokenPersistence: Readonly<Record<string, BrokenClient>> = onlyFor(['client-kept/*'], {
  'asks for as many invoices as the first time': fails('LIB-BILLING', [
    reading,
    `const limits = new Map<string, number | undefined>()\n${reading}  if (!limits.has(service.baseUrl)) limits.set(service.baseUrl, limit)\n  limit = limits.get(service.baseUrl)\n`,
  ]),
  'lists for any key the operations of the first': fails(
    'LIB-OPERATIONS',
    ['export const discover =', 'let listed: Promise<Members> | undefined\nexport const discover ='],
    [asking, `(listed ??= ${asking})`],
  ),
})
