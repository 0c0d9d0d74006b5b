/** Whether a list is one page of several. Nothing shows how the rest is asked for, so that what is missing may be there. */
import type { Exchange } from '../wire/exchange.ts'
import { isObject, object } from './answer.ts'

const isFilled = (value: unknown): boolean => typeof value === 'string' && value !== ''

/** Members by which lists say that there is more: whether, where, or how many in all. */
const hints: Readonly<Record<string, (value: unknown, length: number) => boolean>> = {
  hasmore: (value) => value === true,
  hasnext: (value) => value === true,
  next: isFilled,
  nextcursor: isFilled,
  nextpage: (value) => isFilled(value) || typeof value === 'number',
  nextpagetoken: isFilled,
  total: (value, length) => typeof value === 'number' && value > length,
  totalcount: (value, length) => typeof value === 'number' && value > length,
}

/** It says so in `Link`, at its top or one level below. `length`: how many it shows. */
export function saysMore(list: Exchange, length: number): boolean {
  const top = object(list) ?? {}
  const nested = Object.values(top).filter(isObject)
  const inBody = [top, ...nested].some((members) =>
    Object.entries(members).some(
      ([name, value]) => hints[name.toLowerCase().replaceAll(/[_-]/g, '')]?.(value, length) ?? false,
    ),
  )
  return inBody || (list.response?.headers ?? []).some(isLinkToNext)
}

function isLinkToNext([name, value]: readonly [string, string]): boolean {
  return name.toLowerCase() === 'link' && /\brel="?next\b/i.test(value)
}
