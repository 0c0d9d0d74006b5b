/** One request as plain data: what a handler sees of it. */
import type { HeaderLine } from './reply.ts'

/** Whether the client still listens. */
export interface ClientConnection {
  readonly gone: boolean
  /** Called once when the client goes away before its answer ended. */
  watch(listener: () => void): void
}

export interface Call {
  /** Counts from 1 within a simulator, in the order in which the bodies were complete. */
  readonly id: number
  /** Counts the sockets of a simulator from 1. */
  readonly connection: number
  /** Number of the server that received it, from 1. */
  readonly server: number
  readonly method: string
  /** Path and query, as sent. */
  readonly path: string
  /** Parameters of the route, decoded. */
  readonly params: Readonly<Record<string, string | undefined>>
  /** In the order and casing received. */
  readonly headers: readonly HeaderLine[]
  readonly body: Uint8Array
  /** The body is larger than is read; `body` is empty then, and the connection ends with the answer. */
  readonly tooLarge?: boolean
  /** The body is not read, because there is no room for it; `tooLarge` as well. */
  readonly noRoom?: boolean
  readonly client: ClientConnection
}

const isNamed = (header: HeaderLine, name: string): boolean =>
  header[0].length === name.length && header[0].toLowerCase() === name

const none: readonly string[] = []

/** Every value of a header, in order; names are compared in any casing. */
export function headerValues({ headers }: Pick<Call, 'headers'>, name: string): readonly string[] {
  let values: string[] | undefined
  for (const header of headers) if (isNamed(header, name)) (values ??= []).push(header[1])
  return values ?? none
}

/** The first value of a header. */
export function headerValue({ headers }: Pick<Call, 'headers'>, name: string): string | undefined {
  for (const header of headers) if (isNamed(header, name)) return header[1]
  return undefined
}

/** What chooses the tenant: the API key or session token, whatever stands before it; empty where there is none. */
export function authorizationTokenOf(head: Pick<Call, 'headers'>): string {
  const authorization = headerValue(head, 'authorization') ?? ''
  return authorization.slice(authorization.lastIndexOf(' ') + 1)
}

/** A client that stays; for calls made without a socket. */
export const presentValues: ClientConnection = { gone: false, watch: () => undefined }
