/** Requests to the control routes, typed by `spec/control.yaml`. */
import createFetchClient, { type Client } from 'openapi-fetch'
import type { paths } from '../../spec/types/control.ts'

/** A control route refused a request, or another server answered; the message quotes the response. */
export class ControlError extends Error {
  override name = 'ControlError'
  /** Method and route, such as `POST /_sim/v1/tenants`. */
  readonly request: string
  readonly status: number
  /** In the words of the simulator; undefined if another server responded. */
  readonly reason: string | undefined

  constructor(request: string, status: number, body: string) {
    const reason = reasonIn(body)
    const quoted = reason ?? (body.slice(0, 200) || 'the response is empty.')
    super(`${request} failed with status ${status}: ${quoted}`)
    this.request = request
    this.status = status
    this.reason = reason
  }
}

export interface ControlAccess {
  readonly baseUrl: string
  readonly token: string | undefined
  readonly fetch: typeof globalThis.fetch
}

export type ControlApi = Client<paths>

/** Calls reject with a ControlError for any status but 2xx, or with what `fetch` rejects with. */
export function createApi({ baseUrl, token, fetch }: ControlAccess): ControlApi {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const api = createFetchClient<paths>({ baseUrl, headers, fetch })
  api.use({
    onResponse: async ({ request, schemaPath, response }) => {
      if (response.ok) return
      throw new ControlError(`${request.method} ${schemaPath}`, response.status, await response.text())
    },
  })
  return api
}

type Immutable<T> = T extends object ? { readonly [M in keyof T]: Immutable<T[M]> } : T

/** A request body. The generated types have mutable arrays; a body that is only sent may have readonly ones. */
export const immutableBody = <T>(body: Immutable<NoInfer<NonNullable<T>>>) => body as NonNullable<T>

export async function dataOf<T>(call: Promise<{ data?: T }>): Promise<T> {
  return (await call).data as T
}

/** The `error` of a control route; undefined if the text has none. */
function reasonIn(text: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string')
      return body.error
  } catch {
    // Another server responded.
  }
  return undefined
}
