/**
 * Every exact identifier of the contract with a vendor name in it. The contract writes `service` in its place; a real
 * service has a word of its own there, the same one in all of them. No other code writes one out.
 */

/** The word of the contract itself. */
export const defaultVendor = 'service'

interface Form {
  title: string
  kind: 'header' | 'user agent' | 'variable' | 'folder'
  from: (vendor: string) => string
}

/** The word as the contract writes it in names that begin with capitals: `Acme-Corp` of `acme-corp`. */
const capitals = (vendor: string): string =>
  vendor.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase())

const variable = (vendor: string): string => vendor.toUpperCase().replaceAll('-', '_')

export const identifierForms = {
  replayHeader: {
    title: 'marks a replayed chat response',
    kind: 'header',
    from: (vendor) => `X-${capitals(vendor)}-Idempotent-Replay`,
  },
  signatureHeader: {
    title: 'carries the signature of a webhook delivery',
    kind: 'header',
    from: (vendor) => `x-${vendor}-signature`,
  },
  deliveryIdHeader: {
    title: 'carries the id of a webhook delivery',
    kind: 'header',
    from: (vendor) => `x-${vendor}-delivery-id`,
  },
  eventHeader: {
    title: 'carries the event of a webhook delivery',
    kind: 'header',
    from: (vendor) => `x-${vendor}-event`,
  },
  userAgent: {
    title: 'is the User-Agent of webhook deliveries, compared without case',
    kind: 'user agent',
    from: (vendor) => `${capitals(vendor)}-Webhooks/1.0`,
  },
  baseUrlVariable: {
    title: 'is the environment variable with the base URL, read by the command-line client',
    kind: 'variable',
    from: (vendor) => `${variable(vendor)}_BASE_URL`,
  },
  apiKeyVariable: {
    title: 'is the environment variable with the API key, read by the command-line client',
    kind: 'variable',
    from: (vendor) => `${variable(vendor)}_API_KEY`,
  },
  profileFolder: {
    title: 'is the folder of the saved profiles of the command-line client',
    kind: 'folder',
    from: (vendor) => `${vendor}-client`,
  },
} as const satisfies Record<string, Form>

export type IdentifierName = keyof typeof identifierForms

export type Identifiers = { readonly [N in IdentifierName]: string }

/** Thrown for a vendor's word, or an identifier, that cannot be one. The message says what to write instead. */
export class IdentifierError extends RangeError {
  override name = 'IdentifierError'
}

const names = Object.keys(identifierForms) as IdentifierName[]

/** Headers that frame a message, name its sender or carry its credentials: none of them can be an identifier. */
const ofHttp =
  /^(?:authorization|connection|content-(?:encoding|length|type)|cookie|date|expect|host|keep-alive|set-cookie|te|trailer|transfer-encoding|upgrade|user-agent)$/i

const shapes = {
  header: { pattern: /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, words: 'letters, digits and hyphens' },
  'user agent': { pattern: /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, words: 'visible ASCII characters' },
  variable: { pattern: /^[A-Za-z_][A-Za-z0-9_]*$/, words: 'letters, digits and _, beginning with no digit' },
  folder: { pattern: /^(?!\.{1,2}$)[\w.-]+$/, words: 'letters, digits, hyphens, dots and _' },
} as const satisfies Record<Form['kind'], { pattern: RegExp; words: string }>

/**
 * The identifiers of the service that writes `vendor` where the contract writes `service`; `overrides` replace single
 * ones. Throws an IdentifierError for a word that is none, and for one that gives no valid identifier without an override.
 */
export function identifiersOf(
  vendor: string = defaultVendor,
  overrides: Partial<Identifiers> = {},
): Identifiers {
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/i.test(vendor))
    throw new IdentifierError(
      `vendor is ${JSON.stringify(vendor)}: write one word of letters and digits, with hyphens between, such as acme or acme-corp.`,
    )
  const unknown = Object.keys(overrides).find((name) => !Object.hasOwn(identifierForms, name))
  if (unknown !== undefined)
    throw new IdentifierError(`identifier ${JSON.stringify(unknown)} is unknown: use ${names.join(', ')}.`)
  const identifiers = Object.fromEntries(
    names.map((name) => [name, identifierOf(name, vendor.toLowerCase(), overrides[name])]),
  ) as Identifiers
  // Throws an IdentifierError for a header that means something else already.
  const taken = new Map<string, IdentifierName>()
  for (const name of names.filter((one) => identifierForms[one].kind === 'header')) {
    const value = identifiers[name]
    const other = taken.get(value.toLowerCase())
    if (other !== undefined)
      throw new IdentifierError(`${name} and ${other} are both ${value}: give each a name of its own.`)
    if (ofHttp.test(value))
      throw new IdentifierError(`${name} is ${value}, a header of HTTP itself: use another name.`)
    taken.set(value.toLowerCase(), name)
  }
  return identifiers
}

function identifierOf(name: IdentifierName, vendor: string, override?: string): string {
  const { kind, from } = identifierForms[name]
  const { pattern, words } = shapes[kind]
  const value = override ?? from(vendor)
  if (pattern.test(value)) return value
  throw new IdentifierError(
    override === undefined
      ? `vendor ${vendor} gives the ${kind} ${value}, which is not valid: override \`${name}\` (${words}).`
      : `${name} is ${JSON.stringify(value)}, which is not valid: use ${words}.`,
  )
}

/** What each identifier has before and after the vendor's word, in lower case. */
const affixes = new Map(
  names.map((name) => [name, identifierForms[name].from('vendor').toLowerCase().split('vendor')]),
)

/** The word that gives an identifier this value, compared without case; null where none does. */
export function vendorIn(name: IdentifierName, value: string): string | null {
  const [before = '', after = ''] = affixes.get(name) ?? []
  const text = value.toLowerCase()
  const word = text.slice(before.length, text.length - after.length)
  const isWord = /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(word)
  return isWord && text === `${before}${word}${after}` ? word : null
}

export const contractIdentifiers: Identifiers = identifiersOf()

/** The identifiers of what may have its own: of the service otherwise as the contract writes them. */
export function identifiersIn({
  identifiers = contractIdentifiers,
}: {
  identifiers?: Identifiers
}): Identifiers {
  return identifiers
}

/** The text with each `{replayHeader}` and so on replaced by the identifier of that name. */
export function withIdentifiers(text: string, identifiers: Identifiers): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(identifiers, name) ? identifiers[name as IdentifierName] : whole,
  )
}
