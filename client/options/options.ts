/** What a client is built with. */
import type { Catalogue } from '../catalogue/catalogue.ts'
import { embeddedCatalogue } from '../catalogue/operations.ts'
import { dialectOf, type Dialect, type Partly } from './dialect.ts'
import { InvalidCall } from '../errors.ts'
import type { Operating } from '../operations/operations.ts'
import { createTransport, type FetchFunction } from '../http/transport.ts'
import { IdentifierError, identifiersOf, type Identifiers } from '../../spec/identifiers.ts'

interface Surroundings {
  readonly window?: unknown
  readonly document?: unknown
  readonly navigator?: { readonly product?: unknown; readonly userAgent?: unknown }
}

/** Every browser, in a page or in a worker, says that it is Mozilla; no server platform does. */
const places: Readonly<Record<string, (here: Surroundings) => boolean>> = {
  'a browser page': (here) => here.window !== undefined && here.document !== undefined,
  'a mobile app': ({ navigator }) => navigator?.product === 'ReactNative',
  'a worker of a browser': ({ window, navigator }) =>
    window === undefined &&
    typeof navigator?.userAgent === 'string' &&
    navigator.userAgent.startsWith('Mozilla/'),
}

/** Throws `InvalidCall` in a browser page, a worker of one, or a mobile app. */
export function checkServerSide(here: Surroundings = globalThis): void {
  const place = Object.keys(places).find((name) => places[name]?.(here))
  if (place === undefined) return
  throw new InvalidCall(
    `This is ${place}, where anybody can read the API key.`,
    'Keep the key on a server of yours, and have that call the service.',
  )
}

export interface ServiceClientOptions extends VendorOptions {
  /** Begins with `sk-`. For servers only: never in browser code, a mobile app or a repository. */
  readonly apiKey: string
  /** Such as `https://api.example.com`, without `/api/v1`. */
  readonly baseUrl: string
  /** Default: the global one. */
  readonly fetch?: FetchFunction | undefined
  /** How long a call waits for a sign of life, in ms; of a stream, for each next part. Default 60,000. */
  readonly timeoutMs?: number | undefined
  /** Operations that may be asked for. Default: those that the package was built with. */
  readonly catalogue?: Catalogue | undefined
  /** What the service does otherwise where the contract does not show it. */
  readonly dialect?: Partly<Dialect> | undefined
}

function addressOf(baseUrl: unknown): string {
  const url = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl) : null
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  const isOpen = url?.username === '' && url.password === ''
  if (!url || !isWeb || !isOpen || url.search !== '' || url.hash !== '')
    throw new InvalidCall(
      url && !isOpen ? '`baseUrl` has credentials in it.' : `\`baseUrl\` is ${JSON.stringify(baseUrl)}.`,
      'Give an address such as https://api.example.com, without a query and without credentials.',
    )
  return url.href.replace(/\/+$/, '')
}

/** The key itself is never shown. */
function checkApiKey(apiKey: unknown): string {
  if (typeof apiKey === 'string' && /^[!-~]+$/.test(apiKey)) return apiKey
  const what = typeof apiKey !== 'string' || apiKey === '' ? 'missing' : 'not one that a header carries'
  throw new InvalidCall(
    `\`apiKey\` is ${what}.`,
    'Give the key as it was shown, without blanks or a line end.',
  )
}

function checkTimeout(timeoutMs: unknown): number {
  if (typeof timeoutMs === 'number' && timeoutMs > 0) return timeoutMs
  throw new InvalidCall(`\`timeoutMs\` is ${String(timeoutMs)}.`, 'Give milliseconds, more than 0.')
}

/** Throws `InvalidCall` for what cannot be right, and where a key would not be safe. */
export function operatingWith(options: ServiceClientOptions): Operating {
  checkServerSide()
  const { fetch = (url, init) => globalThis.fetch(url, init), catalogue = embeddedCatalogue } = options
  const transport = createTransport({
    apiKey: checkApiKey(options.apiKey),
    baseUrl: addressOf(options.baseUrl),
    timeoutMs: checkTimeout(options.timeoutMs ?? 60_000),
    fetch,
    replayHeader: identifiersFor(options).replayHeader,
  })
  return { transport, catalogue, dialect: dialectOf(options.dialect) }
}

/** How the service writes the identifiers of the contract that have the vendor's word in them. */
export interface VendorOptions {
  /** The word that the service has where the contract writes `service`, such as `acme`. Default: `service`. */
  readonly vendor?: string | undefined
  /** Single identifiers that do not follow from that word. */
  readonly identifiers?: Partial<Identifiers> | undefined
}

/** Throws `InvalidCall` for a word, or an identifier, that cannot be one. */
export function identifiersFor({ vendor, identifiers }: VendorOptions): Identifiers {
  try {
    return identifiersOf(vendor, identifiers)
  } catch (error) {
    if (!(error instanceof IdentifierError)) throw error
    throw new InvalidCall(error.message, error.message)
  }
}
