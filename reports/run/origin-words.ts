/** Who started a run, and where, in words; and the version of what it tested. */
import type { RunRecord } from '../bundle/record.ts'

/** Such as `started by octocat in GitHub Actions`; empty where nothing was recorded. */
export function originLine({ run: { origin } }: RunRecord): string {
  if (origin === undefined) return ''
  const { ci, actor, host } = origin
  const place = ci === undefined ? (host === undefined ? '' : ` on ${host}`) : ` in ${ci}`
  return `started${actor === undefined ? '' : ` by ${actor}`}${place}`
}

/** Such as `main, 5f3c1e2`; empty outside of CI. */
export function sourceLine({ run: { origin } }: RunRecord): string {
  const { branch, commit } = origin ?? {}
  return [branch, commit?.slice(0, 12)].filter(Boolean).join(', ')
}

/** Of a service that does not declare its version: how to declare it. Empty where there is nothing to declare. */
export function howToDeclareVersion({ target: { kind, version } }: RunRecord): string {
  const declares = kind === 'staging' || kind === 'production'
  return declares && version === undefined
    ? 'version not declared: set `implementation.version` in the target file'
    : ''
}
