/** The npm configuration of this machine, as the secret of a build. */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const setting = (name: string): string =>
  execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim()

/** The certificates of a file, each as a line: a build has no other file of this machine. */
function authorities(path: string): readonly string[] {
  if (!existsSync(path)) return []
  const found = readFileSync(path, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)
  return (found ?? []).map((one) => `ca[]="${one.replaceAll('\n', String.raw`\n`)}"`)
}

/** Writes it to `path`, with a password that opens nothing. Returns every password: no image may contain one. */
export function writeNpmSettings(path: string): readonly string[] {
  const files = ['globalconfig', 'userconfig'].map(setting).filter((file) => existsSync(file))
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').split('\n'))
  const text = [
    ...lines.filter((line) => !line.startsWith('cafile')),
    ...authorities(setting('cafile')),
    `registry=${setting('registry')}`,
    `//127.0.0.1:1/:_password=${randomUUID()}`,
    '',
  ].join('\n')
  writeFileSync(path, text)
  return [...text.matchAll(/_(?:authToken|auth|password) *= *(\S+)/g)].map(([, secret = '']) => secret)
}
