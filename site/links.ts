/** Every link of the built site, followed: to pages, to files, and to places within pages. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'

const attribute = / (?:href|src)="([^"]*)"/g
const ids = / (?:id|name)="([^"]+)"/g

/** Pages that redocly makes have links of their own program. */
const isOurs = (html: string): boolean => html.includes('VPContent')

/** Each link that leads nowhere, after the page that it is on. Links to other hosts are not followed. */
export function deadLinks(folder: string, base: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  )
  const pages = new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
  const anchors = new Map<string, ReadonlySet<string>>()
  const anchorsOf = (file: string): ReadonlySet<string> => {
    const known =
      anchors.get(file) ?? new Set([...(pages.get(file) ?? '').matchAll(ids)].map(([, id = '']) => id))
    anchors.set(file, known)
    return known
  }
  const isDead = (from: string, link: string): boolean => {
    const { pathname, hash } = new URL(link, new URL(from, 'http://site'))
    const file = fileOf(folder, decodeURIComponent(pathname).slice(base.length))
    if (file === null) return true
    return hash !== '' && pages.has(file) && !anchorsOf(file).has(decodeURIComponent(hash.slice(1)))
  }
  return [...pages].flatMap(([file, html]) => {
    if (!isOurs(html)) return []
    const links = new Set([...html.matchAll(attribute)].map(([, link = '']) => link.replaceAll('&amp;', '&')))
    return [...links]
      .filter((link) => !/^[a-z]+:|^\/\//.test(link) && isDead(`${base}${file}`, link))
      .map((link) => `${file}: ${link}`)
  })
}

/** The file that a web server returns for a path, or null. */
function fileOf(folder: string, path: string): string | null {
  const name = path === '' || path.endsWith('/') ? posix.join(path, 'index.html') : path
  return existsSync(join(folder, name)) ? name : null
}
