/** The npm configuration of this machine, for the build only. */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where npm in the image has its global configuration: an empty folder of Debian, so that a mount leaves no trace. */
const place = '/usr/local/etc'

const setting = (name: string): string =>
  execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim()

export interface NpmSettings {
  /** Options of `docker build`. */
  readonly options: readonly string[]
  /** What no image may contain. */
  readonly secrets: readonly string[]
}

/** Writes them to a folder to mount, with a password that is none: the image is searched for it. */
export function npmSettings(folder: string): NpmSettings {
  mkdirSync(folder)
  const files = ['globalconfig', 'userconfig'].map(setting).filter((path) => existsSync(path))
  const [lines, authorities] = [files.map((path) => readFileSync(path, 'utf8')), setting('cafile')]
  if (existsSync(authorities)) {
    cpSync(authorities, join(folder, 'authorities.pem'))
    lines.push(`cafile=${place}/authorities.pem`)
  }
  const password = randomUUID()
  lines.push(`registry=${setting('registry')}`, `//127.0.0.1:1/:_password=${password}`, '')
  const text = lines.join('\n')
  writeFileSync(join(folder, 'npmrc'), text)
  const secrets = [...text.matchAll(/_(?:authToken|auth|password) *= *(\S+)/g)].map(
    ([, secret = '']) => secret,
  )
  return { options: ['--volume', `${folder}:${place}:ro`], secrets }
}
