/** The small changes to the rules that modifications are made of. */
import type { RequestRules } from '../chat/rules.ts'
import type { ChatRefusalCode } from '../chat/refusal.ts'
import type { JsonObject } from '../json.ts'
import type { Rules } from '../rules.ts'

/** Shows another code, or none, where this one belongs. */
export function withCode(from: ChatRefusalCode, to: string | null): (rules: Rules) => Partial<Rules> {
  return (rules) => ({
    errorLayout: (code, words) => rules.errorLayout(code === from ? to : code, words),
  })
}

/** Takes one rule of the body out, so that what it forbids is let through. */
export function withoutBodyRule(...names: readonly string[]): (rules: Rules) => Partial<Rules> {
  return (rules) => ({ bodyRules: rules.bodyRules.filter((rule) => !names.includes(rule.name)) })
}

export function withBodyRule(
  name: string,
  objects: (body: JsonObject, rules: RequestRules) => string | null,
): (rules: Rules) => Partial<Rules> {
  return (rules) => ({
    bodyRules: rules.bodyRules.map((rule) => (rule.name === name ? { name, objects } : rule)),
  })
}

export function withoutPermission(name: string): (rules: Rules) => Partial<Rules> {
  return (rules) => ({ permissions: rules.permissions.filter((rule) => rule.name !== name) })
}

/** Puts `live-` before keys that begin with this mark, wherever they are handed out and sent. */
export function withLongerKeys(mark: string): (rules: Rules) => Partial<Rules> {
  const longer = `live-${mark}`
  return (rules) => ({
    shownKey: (token) => rules.shownKey(token).replace(new RegExp(`^${mark}`), longer),
    bearer: (authorization) => rules.bearer(authorization)?.replace(new RegExp(`^${longer}`), mark) ?? null,
  })
}
