/** One request to the control plane. */
import { ofTenant, routes, type Answer, type Asked, type Operation } from './operations.ts'

/** The control plane refused, or something else answered in its place; the message has its words. */
export class ControlError extends Error {
  override name = 'ControlError'
  readonly operation: Operation
  readonly status: number

  constructor(operation: Operation, status: number, words: string) {
    super(`${operation} was refused with ${status}: ${words}`)
    this.operation = operation
    this.status = status
  }
}

export interface Place {
  /** Base address of the simulator. */
  host: string
  /** Base address of one tenant. */
  base: string | null
  token: string | undefined
  fetch: typeof globalThis.fetch
}

/** Rejects with a ControlError, or with whatever `fetch` rejects with. */
export type Send = <O extends Operation>(operation: O, asked: Asked<O>) => Promise<Answer<O>>

export const sendTo =
  ({ host, base, token, fetch }: Place): Send =>
  async <O extends Operation>(operation: O, asked: Asked<O>): Promise<Answer<O>> => {
    const [method = '', path = ''] = routes[operation].split(' ')
    const place = path.startsWith(ofTenant) ? `${base ?? ''}${path.slice(ofTenant.length)}` : host + path
    const answer = await fetch(filled(place, asked.path) + searchOf(asked.query), {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(asked.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new ControlError(operation, answer.status, wordsOf(text))
    return (text === '' ? undefined : JSON.parse(text)) as Answer<O>
  }

/** Names go into a path as one segment each, whatever they hold. */
function filled(path: string, names: object = {}): string {
  const values = new Map<string, unknown>(Object.entries(names))
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name))))
}

function searchOf(query: unknown): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}) as [string, unknown][])
    for (const one of [value].flat())
      if (one !== undefined) search.append(name, typeof one === 'string' ? one : JSON.stringify(one))
  return search.size === 0 ? '' : `?${search.toString()}`
}

function wordsOf(text: string): string {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string')
      return body.error
  } catch {
    // It is not of the control plane.
  }
  return text.slice(0, 200) || 'no words came with it.'
}
