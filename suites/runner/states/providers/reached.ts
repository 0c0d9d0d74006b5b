/** Whether a request that failed can have reached anybody. */

const beforeAnything: readonly unknown[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]

/** No connection was opened, so nothing was done. The cause may be nested. */
export function certainlyUnsent(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  const { code } = thrown as { code?: unknown }
  return beforeAnything.includes(code) || certainlyUnsent(thrown.cause)
}
