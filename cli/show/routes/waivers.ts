/** Waivers: what the policy can accept of a check, and an entry for it. */
import type { Finding } from '../../../reports/bundle/record.ts'
import type { WaiverChoice, WrittenWaiver } from '../../../spec/types/show.ts'
import { dayAfter, mostDays } from '../../../suites/policy/policy.ts'
import { waiversFor } from '../../../suites/policy/waivers.ts'
import { realClock } from '../../../suites/wire/clock.ts'
import type { NamedRun } from '../named-runs.ts'
import type { OpenedRuns } from '../opened-runs.ts'
import { bodyMember, bodyText } from './body.ts'
import { RefusedRequest } from './refused-request.ts'
import { sessionOf } from './session.ts'

const withoutPolicy =
  'This page was started without a policy file: start it with `--policy FILE`, or name one as `policy: FILE` in the target file; an empty file will do.'

const today = (): string => realClock().wall().slice(0, 10)

function findingOf(runs: OpenedRuns, run: NamedRun, check: string | undefined): Finding {
  const finding = runs.record(run).findings.find((one) => one.check === check)
  if (finding) return finding
  throw new RefusedRequest(404, `${check}: the run has none of this id.`)
}

export function waiverChoice(runs: OpenedRuns, run: NamedRun, check: string | undefined): WaiverChoice {
  const { policy } = sessionOf(runs)
  const { lists, refusal } = waiversFor(findingOf(runs, run, check))
  const none = refusal ?? (policy === null ? withoutPolicy : null)
  return {
    file: policy?.path ?? null,
    lists: none === null ? [...lists] : [],
    refusal: none,
    latest: dayAfter(today(), mostDays),
  }
}

type Entry = Readonly<Record<string, string>>

export function addWaiver(
  runs: OpenedRuns,
  run: NamedRun,
  check: string | undefined,
  body: unknown,
): WrittenWaiver {
  const { policy } = sessionOf(runs)
  const finding = findingOf(runs, run, check)
  const { lists, refusal } = waiverChoice(runs, run, check)
  const wanted = bodyText(body, 'list')
  const list = lists.find((one) => one === wanted)
  if (policy === null || refusal !== null) throw new RefusedRequest(409, refusal ?? withoutPolicy)
  if (list === undefined)
    throw new RefusedRequest(409, `${wanted} cannot accept this finding; ${lists.join(' or ')} can.`)
  return policy.add(list, entries[list](finding, body), today())
}

const promised = (body: unknown): Entry => ({
  owner: bodyText(body, 'owner').trim(),
  reason: bodyText(body, 'reason').trim(),
  ...(optionalText(body, 'issue') === '' ? {} : { issue: optionalText(body, 'issue') }),
})

const entries: Readonly<Record<WaiverChoice['lists'][number], (finding: Finding, body: unknown) => Entry>> = {
  knownFailures: ({ check, fingerprint = '' }, body) => ({
    check,
    fingerprint,
    ...promised(body),
    created: today(),
    expires: bodyText(body, 'expires'),
  }),
  flaky: ({ check }, body) => ({ check, ...promised(body), expires: bodyText(body, 'expires') }),
  expectedNotExercised: ({ check }, body) => ({ pattern: check, reason: bodyText(body, 'reason').trim() }),
}

function optionalText(body: unknown, name: string): string {
  const value = Object.hasOwn(body as object, name) ? bodyMember(body, name) : ''
  return typeof value === 'string' ? value.trim() : ''
}
