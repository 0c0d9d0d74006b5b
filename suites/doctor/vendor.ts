/** Which vendor's word a target writes, from one turn and its replay. */
import { identifiersIn } from '../../spec/identifiers.ts'
import { startRunContext, type RunContext } from '../runner/run-context.ts'
import { preflight, whyNoTurns } from '../runner/plan/preflight.ts'
import { chatRequest, sameAgain } from '../runner/requests/request.ts'
import { ordinary } from '../runner/states/settings.ts'
import { otherVendor, seenIn, vendorAdvice } from '../runner/outcome/vendor-seen.ts'
import type { Target } from '../config/target.ts'
import { plainSetting } from '../scenario/scenario.ts'
import { type Exchange, header } from '../wire/exchange.ts'
import { fine, missing, unknownSign, wrong, type DoctorResult } from './sign.ts'

const about = 'target.vendor'

export const turnMs = 18_000

export async function lookAtVendor(target: Target, runContext: RunContext): Promise<readonly DoctorResult[]> {
  const exchanges = await turnAndReplay(target, runContext)
  return exchanges.length === 0 ? [] : [noTurn(exchanges, target) ?? judgeVendor(exchanges, target)]
}

/** That the turn got no reply, which says more than that no replay was seen. */
function noTurn([turn]: readonly Exchange[], target: Target): DoctorResult | null {
  const because = turn && whyNoTurns(turn, target)
  if (because) return wrong('agents.plain', because)
  const got = turn?.response?.status ?? turn?.failure?.message
  return got === 200 ? null : missing('agents.plain', `a turn got ${got}; look at the log of the service`)
}

export function judgeVendor(
  exchanges: readonly Exchange[],
  target: Pick<Target, 'vendor' | 'identifiers'>,
): DoctorResult {
  const { replayHeader } = identifiersIn(target)
  if (exchanges.some((exchange) => header(exchange, replayHeader).length > 0))
    return fine(about, `a replay carries ${replayHeader}`)
  const values = [...new Set(exchanges.flatMap(seenIn).map(({ value }) => value))]
  if (values.length === 0)
    return unknownSign(
      about,
      target.vendor === undefined
        ? 'no replay header was seen; if yours is X-Acme-…, set target.vendor to acme'
        : `no replay header was seen, so neither ${replayHeader} nor another`,
    )
  const other = otherVendor(exchanges, target)
  if (other !== null && other !== 'settled') return wrong(about, vendorAdvice(other))
  const words = [...new Set(exchanges.flatMap(seenIn).map(({ word }) => `\`${word}\``))]
  return wrong(
    about,
    `the target file has ${target.vendor === undefined ? '' : `\`${target.vendor}\`, so `}${replayHeader}, and the service writes ${words.join(' and ')} (${values.join(', ')}): correct target.vendor or target.identifiers`,
  )
}

async function turnAndReplay(target: Target, runContext: RunContext): Promise<readonly Exchange[]> {
  const self = ordinary(target)
  if (!self) return []
  const setting = plainSetting(target.agents.plain, self)
  const requestDefaults = runContext.requestDefaults('doctor vendor')
  const timeouts = { timeoutMs: turnMs }
  const message = target.fixtures.messages.plain ?? requestDefaults.source.text()
  const turn = await runContext.wire.send(
    chatRequest('turn', { message, timeouts }, setting, requestDefaults),
  )
  const again = sameAgain('replay', turn, { timeouts }, setting, requestDefaults)
  return [turn, await runContext.wire.send(again, { turns: 0 })]
}

export type VendorFound =
  /** Null: it writes the word of the contract. */
  { word: string | null; seen: readonly string[] } | { because: string }

/**
 * The word that a target writes whose file does not exist yet. Sends a request that is not billed, and, if address,
 * key and agent seem right, one turn and its replay. Throws TargetUnreachable, and a ConfigurationError for a redirect.
 */
export async function findVendor(
  target: Target,
  options: { seed: number; version: string },
): Promise<VendorFound> {
  const runContext = startRunContext(target, { ...options, scenarios: {} })
  try {
    const mismatch = await preflight(target, runContext.wire, runContext.requestDefaults('init'))
    if (mismatch) return { because: mismatch.words }
    const exchanges = await turnAndReplay(target, runContext)
    const failed = noTurn(exchanges, target)
    if (failed) return { because: failed.words }
    const seen = otherVendor(exchanges, target)
    if (seen === null) return { because: 'the replay of a turn had no replay header' }
    if (seen !== 'settled') return { word: seen.word, seen: seen.identifiers }
    const { is, words } = judgeVendor(exchanges, target)
    return is === 'fine' ? { word: null, seen: [identifiersIn(target).replayHeader] } : { because: words }
  } finally {
    await runContext.recorder.close()
  }
}
