/** The npm configuration of this machine, as secrets of a build. */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const setting = (name: string): string =>
  execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim()

export interface NpmSettings {
  /** Options of `docker build`. */
  readonly options: readonly string[]
  /** What no image may contain. */
  readonly passwords: readonly string[]
}

/** Writes it to a file in `folder`, with a password that opens nothing and that is to be searched for. */
export function writeNpmSettings(folder: string): NpmSettings {
  const files = ['globalconfig', 'userconfig'].map(setting).filter((file) => existsSync(file))
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').split('\n'))
  const [npmrc, authorities] = [join(folder, 'npmrc'), setting('cafile')]
  const hasAuthorities = existsSync(authorities)
  const text = [
    ...lines.filter((line) => !line.startsWith('cafile')),
    ...(hasAuthorities ? ['cafile=/run/secrets/authorities'] : []),
    `registry=${setting('registry')}`,
    `//127.0.0.1:1/:_password=${randomUUID()}`,
    '',
  ].join('\n')
  writeFileSync(npmrc, text)
  const secrets = [`id=npmrc,src=${npmrc}`, ...(hasAuthorities ? [`id=authorities,src=${authorities}`] : [])]
  return {
    options: secrets.flatMap((secret) => ['--secret', secret]),
    passwords: [...text.matchAll(/_(?:authToken|auth|password) *= *(\S+)/g)].map(([, secret = '']) => secret),
  }
}
