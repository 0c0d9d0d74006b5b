/** An API key with each letter in its other case, but for the prefix that all keys have. */
export function inOtherCase(key: string): string {
  const prefix = key.startsWith('sk-') ? 3 : 0
  const toggled = Array.from(key.slice(prefix), (sign) =>
    sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase(),
  )
  return key.slice(0, prefix) + toggled.join('')
}
