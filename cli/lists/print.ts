/** How lists are printed. */

/** A heading, and paragraphs that are wrapped below it. */
export function entry(heading: string, paragraphs: readonly string[], width: number): string {
  const lines = paragraphs.flatMap((text) => wrapped(text, Math.max(30, Math.min(width, 100) - 4)))
  return `${heading}\n${lines.map((line) => `    ${line}\n`).join('')}`
}

export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function wrapped(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines
}
