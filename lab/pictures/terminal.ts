/** Writes docs/images/terminal.svg: what a terminal of 80 columns shows of a run with one fault. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const shown = 'touchstone check simulator --fault replay-unmarked --profile smoke'
const picture = 'docs/images/terminal.svg'
const columns = 80
const cell = { width: 8.4, height: 18 }
const padding = 16

/** The parts of the output that the picture has, by their first and last line. */
const parts: readonly (readonly [first: RegExp, last: RegExp])[] = [
  [/nonconformant {2}/, /checks ran, /],
  [/^Failures/, /^ {10}received {2}events: done$/],
  [/^\d+ passed/, /report: /],
]

const colours: Readonly<Record<string, string>> = {
  '31': '#ff7b72',
  '32': '#7ee787',
  '33': '#e3b341',
  '90': '#8b949e',
}

interface Style {
  readonly fill: string
  readonly bold: boolean
}
const plain: Style = { fill: '#e6edf3', bold: false }

function styled(style: Style, code: string): Style {
  if (code === '1') return { ...style, bold: true }
  if (code === '22') return { ...style, bold: false }
  if (code === '39') return { ...style, fill: plain.fill }
  return code in colours ? { ...style, fill: colours[code] ?? plain.fill } : plain
}

/** No-break spaces, since SVG drops others at the ends of a text. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(' ', '\u00A0')

/** One line of a terminal as texts at their columns; a longer one goes on in the next row. */
function rowsOf(line: string): readonly string[] {
  let [style, column] = [plain, 0]
  const rows: string[] = ['']
  for (const [index, part] of line.split('\u001B[').entries()) {
    // Each but the first begins with a colour code and `m`.
    const end = index === 0 ? -1 : part.indexOf('m')
    if (end >= 0) style = styled(style, part.slice(0, end))
    const characters = Array.from(part.slice(end + 1))
    while (characters.length > 0) {
      if (column === columns) {
        rows.push('')
        column = 0
      }
      const piece = characters.splice(0, columns - column)
      rows[rows.length - 1] += textAt(column, piece, style)
      column += piece.length
    }
  }
  return rows
}

function textAt(column: number, piece: readonly string[], { fill, bold }: Style): string {
  const [x, length] = [padding + column * cell.width, piece.length * cell.width]
  const weight = bold ? ' font-weight="bold"' : ''
  return `<text x="${x.toFixed(1)}" textLength="${length.toFixed(1)}" fill="${fill}"${weight}>${escaped(piece.join(''))}</text>`
}

function svgOf(rows: readonly string[]): string {
  const [width, height] = [columns * cell.width + 2 * padding, rows.length * cell.height + 2 * padding]
  const placed = rows.map(
    (row, index) => `<g transform="translate(0 ${padding + (index + 0.75) * cell.height})">${row}</g>`,
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`,
    '  font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="14">',
    `<title>${shown}</title>`,
    '<rect width="100%" height="100%" rx="8" fill="#0d1117"/>',
    ...placed,
    '</svg>\n',
  ].join('\n')
}

/** The lines of the parts, with an ellipsis between them. Throws if the output no longer has one of them. */
function cut(lines: readonly string[]): readonly string[] {
  const bare = lines.map((line) => stripVTControlCharacters(line))
  return parts.flatMap(([first, last], index) => {
    const from = bare.findIndex((line) => first.test(line))
    const to = bare.findIndex((line, at) => at >= from && last.test(line))
    if (from < 0 || to < 0) throw new Error(`The output has no part from ${first} to ${last}.`)
    return [...(index === 0 ? [] : ['\u001B[90m  …\u001B[39m']), ...lines.slice(from, to + 1)]
  })
}

const [, ...words] = shown.split(' ')
const out = join(tmpdir(), 'touchstone-picture')
const { stdout, stderr, status } = spawnSync(
  process.execPath,
  ['cli/bin.ts', ...words, '--seed', '1', '--quiet', '--out', out],
  { encoding: 'utf8', env: { ...process.env, COLUMNS: String(columns), FORCE_COLOR: '1' } },
)
if (status !== 1) throw new Error(`${shown} ended with ${status}, not 1:\n${stdout}${stderr}`)
const lines = stdout.replaceAll(out, 'touchstone-report').split('\n')
writeFileSync(picture, svgOf([`\u001B[90m$\u001B[39m npx ${shown}`, '', ...cut(lines)].flatMap(rowsOf)))
console.log(picture)
