/** A heading, and below it wrapped paragraphs. */
export function listEntry(heading: string, paragraphs: readonly string[], width: number): string {
  const lines = paragraphs.flatMap((text) => wrapped(text, Math.max(30, Math.min(width, 100) - 4)))
  return `${heading}\n${lines.map((line) => `    ${line}\n`).join('')}`
}

export function printedJson(value: unknown): string {
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
