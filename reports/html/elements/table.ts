/** Tables: of words, whose rows become cards on a phone, and of numbers, which scroll in a frame of their own. */
import { html, noMarkup } from './escape.ts'
import type { Hole, Markup } from './escape.ts'

export interface TableRow {
  /** Anchor of the row. */
  id?: string
  head: Hole
  cells: readonly Hole[]
}

/** `columns` names the head first. */
export function wordTable(caption: Hole, columns: readonly string[], rows: readonly TableRow[]): Markup {
  return html`<table class="clauses">
    ${top(caption, columns)}
    <tbody>
      ${rows.map((row) => rowOf(row, columns))}
    </tbody>
  </table> `
}

/** Each cell carries the name of its column: where the rows are cards there is no head above it. */
function rowOf({ id, head, cells }: TableRow, columns: readonly string[]): Markup {
  const anchor = id === undefined ? noMarkup : html` id="${id}"`
  return html`<tr${anchor}>
    <th scope="row">${head}</th>
    ${cells.map((cell, index) => html`<td data-of="${columns[index + 1]}">${cell}</td>`)}
  </tr> `
}

export interface NumberRow {
  head: string
  /** Counts, and words beside them. */
  cells: readonly Hole[]
}

/** With `names`, each cell carries the name of its column: on a screen that is not wide, rows become cards. */
export function numberTable(
  caption: string,
  columns: readonly Hole[],
  rows: readonly NumberRow[],
  sum: NumberRow,
  names: readonly string[] = [],
): Markup {
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
    <table class="${names.length > 0 ? 'numbers named' : 'numbers'}">
      ${top(caption, columns)}
      <tbody>
        ${rows.map((row) => numbers(row, names))}
      </tbody>
      <tfoot>
        ${numbers(sum, names)}
      </tfoot>
    </table>
  </div> `
}

function numbers({ head, cells }: NumberRow, names: readonly string[]): Markup {
  return html`<tr>
    <th scope="row">${head}</th>
    ${cells.map((cell, index) => {
      const name = names[index] === undefined ? noMarkup : html` data-of="${names[index]}"`
      return cell === 0 ? html`<td${name} class="soft">0</td>` : html`<td${name}>${cell}</td>`
    })}
  </tr> `
}

function top(caption: Hole, columns: readonly Hole[]): Markup {
  return html`<caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        ${columns.map((column) => html`<th scope="col">${column}</th>`)}
      </tr>
    </thead>`
}
