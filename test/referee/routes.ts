/** The routes of our document, to name what was asked for. */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

const text = readFileSync(new URL('../../spec/openapi.yaml', import.meta.url), 'utf8')
const { paths } = parse(text) as { paths: Readonly<Record<string, object>> }

const templates = Object.keys(paths).map((template) => ({
  template,
  matches: new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
}))

/** `POST /api/v1/chat/{agentId}`; where the document has no such path, the path itself. */
export function routeOf({ method, path }: { method: string; path: string }): string {
  const [plain = ''] = path.split('?')
  return `${method} ${templates.find(({ matches }) => matches.test(plain))?.template ?? plain}`
}
