/** Requests to the simulated service itself, such as a client would send. */
export interface ServiceRequest {
  readonly method: string
  readonly path: string
  readonly headers: readonly (readonly string[])[]
  /** JSON, or null for no body. */
  readonly body: string | null
}

/** Pages cannot send a `Cookie` header of their own; the browser sends what stands in its jar. */
function putCookies(headers: ServiceRequest['headers']): () => void {
  const cookies = headers
    .filter(([name]) => name?.toLowerCase() === 'cookie')
    .flatMap(([, value = '']) => value.split(/; */))
  for (const cookie of cookies) document.cookie = `${cookie}; path=/; SameSite=Strict`
  return () => {
    for (const cookie of cookies) document.cookie = `${cookie.split('=')[0]}=; path=/; Max-Age=0`
  }
}

/** Rejects with a TypeError where there is no response, as `fetch` does. */
export async function callService(
  { method, path, headers, body }: ServiceRequest,
  signal?: AbortSignal,
): Promise<Response> {
  const takeCookies = putCookies(headers)
  try {
    return await fetch(path, {
      method,
      headers: headers
        .filter(([name]) => name?.toLowerCase() !== 'cookie')
        .map(([name = '', value = '']) => [name, value] as [string, string]),
      body,
      ...(signal && { signal }),
    })
  } finally {
    takeCookies()
  }
}

/** As they are written, one a line; lines without a colon are left out. */
export const headersIn = (lines: string): [name: string, value: string][] =>
  lines
    .split('\n')
    .filter((line) => line.includes(':'))
    .map((line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()])
