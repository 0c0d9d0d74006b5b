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

export type ControlApi = Client<paths>

/** Calls reject with a ControlError for any status but 2xx, or with what `fetch` rejects with. */
export function createApi(
  baseUrl: string,
  token: string | undefined,
  fetch: typeof globalThis.fetch,
): ControlApi {
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

type OfTenant = '/_sim/v1/tenants/{tenantId}'
type Method = 'get' | 'put' | 'post' | 'patch' | 'delete'
type Below<M extends Method> = {
  [P in keyof paths]: P extends `${OfTenant}${infer Rest}`
    ? paths[P] extends Record<M, object>
      ? Rest
      : never
    : never
}[keyof paths]
type Route<M extends Method, R extends Below<M>> = paths[`${OfTenant}${R}` & keyof paths][M]
type Json<T> = T extends { content: { 'application/json': infer B } } ? B : never
type Body<O> = O extends { requestBody?: infer B } ? Immutable<Json<B>> : never
type Query<O> = O extends { parameters: { query?: infer Q } } ? Q : never
type Answer<O> = O extends { responses: infer R } ? Json<R[keyof R & (200 | 201)]> : never
type Names<R extends string> = R extends `${string}{${infer N}}${infer More}`
  ? { [K in N]: string } & Names<More>
  : unknown
type Sent<O, R extends string> = Names<R> & { body?: Body<O>; query?: Query<O> }

/** Requests to the routes of one tenant, by what follows its address; members beside `body` and `query` are ids in it. */
export function ofTenant(api: ControlApi, tenantId: string) {
  const by =
    <M extends Method>(method: M) =>
    async <R extends Below<M>>(
      route: R,
      ...[sent]: unknown extends Names<R> ? [Sent<Route<M, R>, R>?] : [Sent<Route<M, R>, R>]
    ): Promise<Answer<Route<M, R>>> => {
      const { body, query, ...names } = (sent ?? {}) as Record<string, unknown>
      const params = { path: { tenantId, ...names }, query }
      const path = `/_sim/v1/tenants/{tenantId}${route}` as '/healthz'
      return (await api.request(method as 'get', path, { params, body } as Record<string, unknown>))
        .data as never
    }
  return { get: by('get'), put: by('put'), post: by('post'), patch: by('patch'), delete: by('delete') }
}

export type TenantApi = ReturnType<typeof ofTenant>

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
