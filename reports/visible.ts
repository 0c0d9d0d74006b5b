/**
 * Text from a target may carry bytes that move a terminal's cursor, colour it, or turn the reading
 * direction. They are shown as escapes instead, so what is read is what was sent.
 */

// C0 and C1 controls, marks and overrides of direction, zero-width characters, separators that some viewers
// take for line ends, tags, and halves of surrogate pairs.
const deceptive =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Surrogate}/gu

function escape(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16)
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
}

/** Keeps tabs and line feeds, shows everything else that is not plainly visible. */
export function visible(text: string): string {
  return text.replace(deceptive, escape)
}

export function visibleLine(text: string): string {
  return visible(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
}

/** Cuts a long text and says how much is missing. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  const kept = text.slice(0, most).toWellFormed()
  return `${kept}… (${text.length - most} more characters)`
}

/** For JSON.stringify: halves of surrogate pairs have no UTF-8, and other readers of JSON refuse the file for one. */
export function wellFormed(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value
}

/** Breaks a text into lines of at most `width` characters, at spaces where there are any. */
export function wrap(text: string, width: number): string[] {
  const most = Math.max(width, 10)
  return text.split('\n').flatMap((one) => {
    const lines: string[] = []
    let rest = one
    while (rest.length > most) {
      const space = rest.lastIndexOf(' ', most)
      const cut = space > 0 ? space : most
      lines.push(rest.slice(0, cut).trimEnd())
      rest = rest.slice(cut).trimStart()
    }
    return [...lines, rest]
  })
}
