/** How a target is reached, as data: it is read by commands that connect to nothing, and must load no client. */
export interface TargetAccess {
  tls: {
    /** Certificates, as PEM, that are trusted in place of the usual ones. */
    ca: string | null
    /** The certificate and private key, as PEM, that we identify ourselves with. */
    client?: { cert: string; key: string; passphrase?: string }
  }
  /** Address of an HTTP proxy, with its credentials if it wants any; null goes straight. */
  proxy: string | null
  /** The version of HTTP over TLS; auto: the target chooses. Default: 1.1. */
  http?: 1.1 | 2 | 'auto'
}

export const direct: TargetAccess = { tls: { ca: null }, proxy: null }

/** What is wrong with an address, as the predicate of a sentence that repeats no password; null where nothing is. */
const anyAddress = 'https://host/path'

/** For a base address: requests append a path to it, and reports print it. `example`: of what to give instead. */
export function baseUrlProblem(text: string, example = anyAddress): string | null {
  const url = URL.parse(text)
  if (url && namesUser(url)) return 'names a user; leave user and password out'
  const problem = webUrlProblem(text, example)
  if (problem !== null || !/[?#]/.test(text)) return problem
  return `has a query or a fragment; give the address without it, such as ${example}`
}

export function webUrlProblem(text: string, example = anyAddress): string | null {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return null
  // What is before an @ may be a password.
  const given = text.includes('@') ? 'no URL' : JSON.stringify(text)
  return `is ${given}; give an address such as ${example}`
}

export const namesUser = ({ username, password }: URL): boolean => username !== '' || password !== ''

const prefixOf = (key: string): number => (key.startsWith('sk-') ? 3 : 0)

/** Whether there are letters of both cases in it, so that case distinguishes keys. */
export function isMixed(key: string): boolean {
  const own = key.slice(prefixOf(key))
  return /[a-z]/.test(own) && /[A-Z]/.test(own)
}

/** An API key with each letter in its other case, but for the prefix that all keys have. */
export function inOtherCase(key: string): string {
  const prefix = prefixOf(key)
  const toggled = Array.from(key.slice(prefix), (sign) =>
    sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase(),
  )
  return key.slice(0, prefix) + toggled.join('')
}
