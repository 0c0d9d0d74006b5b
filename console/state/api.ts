/** The control routes of the simulator that serves this page, typed by spec/control.yaml. */
import { signal } from '@preact/signals'
import createFetchClient from 'openapi-fetch'
import type { components, paths } from '../../spec/types/control.ts'

export type Schemas = components['schemas']

/** The control token; in memory only, so that it is gone with the page. */
export const token = signal('')
/** A route answered 401: the page asks for the token. */
export const tokenMissing = signal(false)

export class Refused extends Error {
  override name = 'Refused'
  readonly status: number
  constructor(status: number, reason: string) {
    super(reason)
    this.status = status
  }
}

export const authorization = (): Record<string, string> =>
  token.value === '' ? {} : { authorization: `Bearer ${token.value}` }

/** Undefined for what is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function reasonOf(text: string, status: number): string {
  const { error, message } = Object(parsed(text)) as { error?: unknown; message?: unknown }
  const said = [message, error].find((one) => typeof one === 'string')
  return said ?? (text.slice(0, 200) || `The server answered ${status}.`)
}

/** Rejects with Refused where the response is not a success. */
export async function admitted(response: Response): Promise<Response> {
  if (response.ok) return response
  if (response.status === 401) tokenMissing.value = true
  throw new Refused(response.status, reasonOf(await response.text(), response.status))
}

/** Calls reject with Refused, or with a TypeError where the server cannot be reached. */
export const api = createFetchClient<paths>({ baseUrl: location.origin })
api.use({
  onRequest: ({ request }) => {
    for (const [name, value] of Object.entries(authorization())) request.headers.set(name, value)
  },
  onResponse: async ({ response }) => void (await admitted(response)),
})

export async function bodyOf<T>(call: Promise<{ data?: T }>): Promise<T> {
  return (await call).data as T
}
