/** Whether a list is one page of several. Nothing shows how the rest is asked for, so that what is missing may be there. */
import type { Exchange } from '../wire/exchange.ts'
import { object } from './answer.ts'
import { isObject } from '../../spec/json.ts'

type Hint = (value: unknown, length: number) => boolean

const isFilled = (value: unknown): boolean => typeof value === 'string' && value !== ''
const isSeveral = (value: unknown): boolean => typeof value === 'number' && value > 1
const isBeyond: Hint = (value, length) => typeof value === 'number' && value > length

/** Members by which lists say that there is more: whether, where, or how many in all. */
const hints = new Map<string, Hint>(
  Object.entries({
    hasmore: (value) => value === true,
    hasnext: (value) => value === true,
    next: isFilled,
    nextcursor: isFilled,
    nextpage: (value) => isFilled(value) || typeof value === 'number',
    nextpagetoken: isFilled,
    lastpage: isSeveral,
    pages: isSeveral,
    pagecount: isSeveral,
    totalpages: isSeveral,
    total: isBeyond,
    totalcount: isBeyond,
  }),
)

const headerHints = new Map<string, (value: string, length: number) => boolean>(
  Object.entries({
    link: (value) => /\brel="?next\b/i.test(value),
    'x-total-count': (value, length) => isBeyond(Number(value), length),
    // As `items 0-9/11`.
    'content-range': (value, length) => isBeyond(Number(/\/(\d+)\s*$/.exec(value)?.[1]), length),
  }),
)

/** It says so in a header, at its top or one level below. `length`: how many it shows. */
export function saysMore(list: Exchange, length: number): boolean {
  const top = object(list) ?? {}
  const nested = Object.values(top).filter(isObject)
  const inBody = [top, ...nested].some((members) =>
    Object.entries(members).some(
      ([name, value]) => hints.get(name.toLowerCase().replaceAll(/[_-]/g, ''))?.(value, length) ?? false,
    ),
  )
  return (
    inBody ||
    (list.response?.headers ?? []).some(([name, value]) =>
      headerHints.get(name.toLowerCase())?.(value, length),
    )
  )
}
