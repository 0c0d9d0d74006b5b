/** Pieces of a page that are the same wherever they stand: htmlWords, lists, fields, tables. */
import { shorten } from '../visible.ts'
import { isEmpty, isList, plainWords, type Block, type Filter, type Words } from './blocks.ts'
import { html, noMarkup, type Hole, type Markup } from './markup.ts'

const mostText = 2_000
export const mostInShort = 600

export const classOf = (kind?: string): Markup => (kind === undefined ? noMarkup : html` class="${kind}"`)

export function htmlWords(all: Words, most = mostText): Hole {
  if (isList(all)) return all.map((one) => htmlWords(one, most))
  if (typeof all !== 'object') return typeof all === 'string' ? prose(shorten(all, most)) : all
  if ('code' in all) return html`<code>${shorten(all.code, most)}</code>`
  if ('strong' in all) return html`<strong>${htmlWords(all.strong, most)}</strong>`
  if ('soft' in all) return html`<span class="soft">${htmlWords(all.soft, most)}</span>`
  if ('lines' in all)
    return all.lines.map((one, at) => html`${at > 0 ? html`<br />` : ''}${htmlWords(one, most)}`)
  if ('sign' in all)
    return html`<span class="verdict ${all.tone}" data-sign="${all.sign}">${htmlWords(all.says, most)}</span>`
  if (/^#|^\.\//.test(all.to)) return html`<a href="${all.to}">${htmlWords(all.says, most)}</a>`
  return /^https?:\/\//i.test(all.to)
    ? html`<a href="${all.to}" rel="noreferrer">${htmlWords(all.says, most)}</a>`
    : htmlWords(all.says, most)
}

function prose(text: string): Hole {
  return text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))
}

export function folded(summary: Hole, content: Hole): Markup {
  return html`<details>
    <summary>${summary}</summary>
    ${content}
  </details> `
}

export function figure(chart: Markup, caption: string): Markup {
  return html`<figure>
    <figcaption>${caption}</figcaption>
    ${chart}
  </figure> `
}

/** A reason that names checks folds them away. */
export function itemsOf(items: readonly Words[], most: number): Markup {
  const rest = items.length - most
  const shown = items.slice(0, most).map((item) => {
    const [, says, names] = (typeof item === 'string' && /^([^:]+): (.{200,})$/s.exec(item)) || []
    return html`<li>
      ${names === undefined ? htmlWords(item, mostInShort) : folded(says, shorten(names, 20 * mostText))}
    </li>`
  })
  return html`<ul>
    ${shown}${rest > 0 ? html`<li>and ${rest} more: see run.json</li>` : noMarkup}
  </ul> `
}

export function fieldsOf(fields: readonly (readonly [Words, Words])[], kind: string): Markup {
  return html`<dl class="${kind}">
    ${fields
      .filter(([, value]) => !isEmpty(value))
      .map(
        ([name, value]) =>
          html`<div>
            <dt>${htmlWords(name)}</dt>
            <dd>${htmlWords(value)}</dd>
          </div>`,
      )}
  </dl> `
}

export function tilesOf({ tiles, kind }: Extract<Block, { tiles: unknown }>): Markup {
  return html`<dl class="${kind === undefined ? 'facts' : `facts ${kind}`}">
    ${tiles.map(
      ({ name, at, value, detail }) =>
        html`<div>
          <dt>${name}</dt>
          <dd><a href="#${at}">${htmlWords(value)}</a></dd>
          ${isEmpty(detail) ? noMarkup : html`<dd class="soft">${htmlWords(detail)}</dd>`}
        </div> `,
    )}
  </dl> `
}

/** Sends what is chosen in the address, so that a list can be linked to. The button has the focus again. */
export function filtersOf(filters: readonly Filter[]): Markup {
  return html`<form class="filters" role="search">
    ${filters.map(
      ({ name, label, value = '', options }) =>
        html`<label
          >${label}
          ${
            options === undefined
              ? html`<input name="${name}" type="search" value="${value}" />`
              : html`<select name="${name}">
                  ${options.map(
                    ([option, words]) =>
                      html`<option value="${option}" ${option === value ? html`selected` : noMarkup}>
                        ${words}
                      </option>`,
                  )}
                </select>`
          }</label
        > `,
    )}<button ${filters.some(({ value = '' }) => value !== '') ? html`autofocus` : noMarkup}>Show</button>
  </form> `
}

type Table = Extract<Block, { table: unknown }>

/** Rows become cards on a phone: each cell carries the name of its column. Numbers may scroll, and have a sum. */
export function tableOf({ table, columns, caption, numbers = false }: Table): Markup {
  const rows = table.map(({ id, cells }) =>
    rowOf(cells, columns, id === undefined ? noMarkup : html` id="${id}"`),
  )
  const body = html`<table class="${numbers ? 'numbers named' : 'clauses'}">
    <caption>
      ${htmlWords(caption)}
    </caption>
    <thead>
      <tr>
        ${columns.map((column) => html`<th scope="col">${htmlWords(column)}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${numbers ? rows.slice(0, -1) : rows}
    </tbody>
    ${
      numbers
        ? html`<tfoot>
            ${rows.slice(-1)}
          </tfoot>`
        : noMarkup
    }
  </table>`
  if (!numbers) return html`${body} `
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">${body}</div> `
}

function rowOf([head, ...cells]: readonly Words[], columns: readonly Words[], anchor = noMarkup): Markup {
  return html`<tr${anchor}>
    <th scope="row">${htmlWords(head, mostInShort)}</th>
    ${cells.map((cell, at) => {
      const name = plainWords(columns[at + 1])
      return html`<td data-of="${name}" ${cell === 0 ? html` class="soft"` : noMarkup}>
        ${htmlWords(cell, mostInShort)}
      </td>`
    })}
  </tr> `
}
