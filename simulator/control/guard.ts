/**
 * Who may use the control plane: whoever has the token, or every program of this machine where none is asked for.
 * Never a page of another site in a browser on this machine, and never a webhook that points back here.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP, BlockList } from 'node:net'
import { headerValues, type Call, type HeaderLine } from '../edge/reply.ts'
import { headerOfAnyVendor } from '../tenant/webhooks/webhook.ts'

/** The message says what to do. */
export class ControlRefusal extends Error {
  readonly status: 400 | 401 | 403 | 404 | 409 | 415
  readonly headers: readonly HeaderLine[]

  constructor(status: ControlRefusal['status'], message: string, headers: readonly HeaderLine[] = []) {
    super(message)
    this.status = status
    this.headers = headers
  }
}

type Objection = (call: Call, token: string | null) => ControlRefusal | null

const tokenLeast = 16

/** Why something is no token, which is not said with it; null where it is one. */
export function tokenProblem(token: string): string | null {
  if (!/^[\x21-\x7e]*$/.test(token)) return 'A control token is of visible ASCII characters, without blanks.'
  return token.length >= tokenLeast
    ? null
    : `A control token of ${token.length} characters can be guessed: give ${tokenLeast} at least, such as those of \`openssl rand -hex 32\`.`
}

const digest = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest()

/** Takes as long whatever of it is right: digests have one length, and are compared whole. */
function isToken(given: string, token: string): boolean {
  // A header has a character per byte.
  return timingSafeEqual(digest(Buffer.from(given, 'latin1')), digest(Buffer.from(token)))
}

/** Whether the token is sent, in the only `Authorization` header. */
function hasToken(head: Pick<Call, 'headers'>, token: string): boolean {
  const [authorization = '', second] = headerValues(head, 'authorization')
  const [, given = ''] = /^bearer +(.*)$/i.exec(authorization) ?? []
  return isToken(given, token) && second === undefined
}

const withoutToken: Objection = (call, token) => {
  if (token === null || hasToken(call, token)) return null
  return new ControlRefusal(
    401,
    'The control token is missing or wrong: send it as `Authorization: Bearer <token>`.',
    [['WWW-Authenticate', 'Bearer']],
  )
}

/** The names of headers that only a delivery has, with any vendor's word. */
const deliveryNames = (['deliveryIdHeader', 'signatureHeader'] as const).map(headerOfAnyVendor)
/** The values of the same headers, where a tenant gives them names of its own. */
const deliveryValue = /^(?:(?:whd|test)_|sha256=[0-9a-f]{64}$)/

/** Custom headers may say anything, but those of the service are its own; whose tenant it is does not matter. */
const byDelivery: Objection = ({ headers }) =>
  headers.some(
    ([name, value]) => deliveryNames.some((pattern) => pattern.test(name)) || deliveryValue.test(value),
  )
    ? new ControlRefusal(403, 'A webhook may not deliver to the control plane: give it another endpoint.')
    : null

/** Host and port that the client believes to be talking to; null where it does not say, or says two. */
function authorityOf(call: Call): URL | null {
  const hosts = headerValues(call, 'host')
  // The target of a request counts for more than its header, where it is a whole address.
  const authority = `http://${call.authority ?? hosts[0] ?? ''}`
  return hosts.length === 1 && URL.canParse(authority) ? new URL(authority) : null
}

const isOwnName = ({ hostname }: URL): boolean =>
  isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0 ||
  hostname === 'localhost' ||
  hostname.endsWith('.localhost')

/**
 * A site can let its own name stand for 127.0.0.1 and is then, to a browser, of one origin with the simulator. The
 * name stays in `Host`. It cannot know a token, so that where there is one any name will do.
 */
const underOtherName: Objection = (call, token) => {
  const authority = authorityOf(call)
  if (token !== null || (authority && isOwnName(authority))) return null
  return new ControlRefusal(
    403,
    'Without a control token, this is answered under `localhost` or an address only: use one, or give --control-token.',
  )
}

/** Pages say where they are from; programs say nothing. With a token, TLS may end at a proxy, so any scheme will do. */
const byOtherPage: Objection = (call, token) => {
  const [origin, secondOrigin] = headerValues(call, 'origin')
  const [site = 'none', secondSite] = headerValues(call, 'sec-fetch-site')
  const part = token === null ? 'origin' : 'host'
  const ownOrigin =
    origin === undefined || (URL.canParse(origin) && new URL(origin)[part] === authorityOf(call)?.[part])
  const isOwn = ownOrigin && (site === 'none' || site === 'same-origin')
  if (isOwn && secondOrigin === undefined && secondSite === undefined) return null
  return new ControlRefusal(403, 'No page of another origin may use the control plane: ask from a program.')
}

/** A form of another site can send any bytes, and cannot call them JSON. */
const notAsJson: Objection = (call) => {
  const [type = ''] = headerValues(call, 'content-type')
  if (call.body.length === 0 || /^application\/(?:[\w.-]+\+)?json *(?:;|$)/i.test(type)) return null
  return new ControlRefusal(415, 'The body is not said to be JSON: send `Content-Type: application/json`.')
}

const objections: readonly Objection[] = [byDelivery, withoutToken, underOtherName, byOtherPage, notAsJson]

/** Throws a ControlRefusal for a request that may not be answered. `token`: null where nobody needs one. */
export function admitControl(call: Call, token: string | null): void {
  const refusal = objections
    .values()
    .map((objection) => objection(call, token))
    .find((said) => said !== null)
  if (refusal) throw refusal
}

/** Which addresses only this machine can reach. */
const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** A literal, or `localhost`; what any other name stands for, nobody knows before it is asked. */
export function isLoopbackHost(host: string): boolean {
  const family = isIP(host)
  return family === 0 ? host === 'localhost' : loopback.check(host, family === 4 ? 'ipv4' : 'ipv6')
}
