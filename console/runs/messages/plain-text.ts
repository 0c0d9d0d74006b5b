/** Bytes and texts of a target, made readable: what is seen is what was sent. */

/** Controls, marks and overrides of direction, zero-width characters: they move or hide what stands beside them. */
const deceptive = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Keeps tabs and line feeds, and shows everything else that is not plainly visible as an escape. */
export const visibleText = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(deceptive, (character) => {
    if (character === '\n' || character === '\t') return character
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
  })

export function bytesIn(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

export const milliseconds = (ms: number): string =>
  ms < 10_000 ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : `${(ms / 1_000).toFixed(1)} s`

export const byteCount = (count: number): string =>
  count < 10_000
    ? `${count} B`
    : count < 10_000_000
      ? `${(count / 1_000).toFixed(0)} kB`
      : `${(count / 1e6).toFixed(0)} MB`
