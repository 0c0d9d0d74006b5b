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
