/** Tables: of words, whose rows become cards on a phone, and of numbers, which scroll in a frame of their own. */
import { html, noMarkup } from './escape.ts'
import type { Hole, Markup } from './escape.ts'

export interface TableRow {
  /** Anchor of the row. */
  id?: string
  head: Hole
  cells: readonly Hole[]
}

/** `columns` names the head first. The roles keep it a table where it is not laid out as one. */
export function wordTable(caption: Hole, columns: readonly string[], rows: readonly TableRow[]): Markup {
  return html`<table class="clauses" role="table">
    ${top(caption, columns)}
    <tbody role="rowgroup">
      ${rows.map((row) => rowOf(row, columns))}
    </tbody>
  </table> `
}

/** Each cell carries the name of its column: where the rows are cards there is no head above it. */
function rowOf({ id, head, cells }: TableRow, columns: readonly string[]): Markup {
  const anchor = id === undefined ? noMarkup : html` id="${id}"`
  return html`<tr role="row" ${anchor}>
    <th scope="row" role="rowheader">${head}</th>
    ${cells.map((cell, index) => html`<td role="cell" data-of="${columns[index + 1]}">${cell}</td>`)}
  </tr> `
}

const none = html`<td class="soft">0</td>`

export interface TableCounts {
  head: string
  numbers: readonly number[]
}

export function numberTable(
  caption: string,
  columns: readonly Hole[],
  rows: readonly TableCounts[],
  sum: TableCounts,
): Markup {
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
    <table class="numbers">
      ${top(caption, columns)}
      <tbody>
        ${rows.map(numbers)}
      </tbody>
      <tfoot>
        ${numbers(sum)}
      </tfoot>
    </table>
  </div> `
}

function numbers({ head, numbers: row }: TableCounts): Markup {
  return html`<tr>
    <th scope="row">${head}</th>
    ${row.map((count) => (count > 0 ? html`<td>${count}</td>` : none))}
  </tr> `
}

function top(caption: Hole, columns: readonly Hole[]): Markup {
  return html`<caption>
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map((column) => html`<th scope="col" role="columnheader">${column}</th>`)}
      </tr>
    </thead>`
}
