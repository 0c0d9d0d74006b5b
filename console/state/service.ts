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

const headerLine = /^([\w!#$%&'*+.^`|~-]+):([\t\x20-\x7e\x80-\xff]*)$/

/** As they are written, one a line. Throws at a line that no browser would send. */
export const headersIn = (lines: string): [name: string, value: string][] =>
  lines.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return []
    const [, name, value] = headerLine.exec(line.trim()) ?? []
    if (name === undefined || value === undefined)
      throw new Error(`Headers, line ${at + 1}: not a header; write NAME: VALUE.`)
    return [[name, value.trim()]]
  })

export function curlOf({ method, path, headers, body }: ServiceRequest): string {
  return [
    `curl -sS${method === (body === null ? 'GET' : 'POST') ? '' : ` -X ${method}`} ${shellQuoted(location.origin + path)}`,
    ...headers.map(([name = '', value = '']) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-raw ${shellQuoted(body)}`]),
  ].join(' \\\n  ')
}

/** Text as one word of a POSIX shell, in which nothing of it has a meaning. */
const shellQuoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
