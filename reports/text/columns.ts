/** Laying out words in columns of a known width. */

/** Breaks a text into lines of at most `width` characters, at spaces where there are any. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, Math.max(width, 10)))
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = []
  let rest = line
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width)
    const cut = space > 0 ? space : width
    lines.push(rest.slice(0, cut).trimEnd())
    rest = rest.slice(cut).trimStart()
  }
  return [...lines, rest]
}

/** A label, then text that is wrapped and stays in its own column. */
export function hang(label: string, text: string, width: number): string {
  const lines = wrap(text, width - label.length)
  return lines.map((line, index) => (index === 0 ? label : ' '.repeat(label.length)) + line).join('\n')
}

/** Rows of cells, the first column to the left and the others to the right, each as wide as its widest cell. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  )
}
