/** How each state would come about, and what speaks against it. Pure. */
import { states, type StateId } from '../../spec/index.ts'
import type { Offers } from '../runner/states/control.ts'
import { provisionOf } from '../runner/states/state-providers.ts'
import type { Proof } from '../runner/prove.ts'
import { attestation } from '../runner/states/providers/provider.ts'
import { isOfScenarios } from '../config/features.ts'
import type { Provision, Target } from '../config/target.ts'
import { fine, missing, notConfigured, unknownSign, wrong, type DoctorResult } from './sign.ts'

/** What the control protocol says it can do; words where it says nothing, null where it was not asked. */
export type ControlOffers = Offers | string | null

export function judgeControl(offers: ControlOffers, { timing }: Target): readonly DoctorResult[] {
  if (offers === null) return []
  if (typeof offers === 'string')
    return [missing('control', `${offers}; fix control.url, or what speaks there`)]
  const known = offers.states.filter((state) => state in states).length
  const clock = offers.clock ? 'a clock that can be advanced' : 'no clock'
  const spoken = fine(
    'control',
    `it is spoken, with ${known} of ${Object.keys(states).length} states and ${clock}`,
  )
  if (timing.clock !== 'control' || offers.clock) return [spoken]
  return [
    spoken,
    missing('timing.clock', 'the control protocol has no clock; set `timing.clock: real`, or offer one'),
  ]
}

/** States that come about on the wire alone need no word. */
export function judgeStates(
  target: Target,
  control: ControlOffers,
  proofs: readonly Proof[],
): readonly DoctorResult[] {
  const ids = Object.keys(states) as StateId[]
  const signs = ids.flatMap((state) => judgeState(state, provisionOf(state, target), control, proofs) ?? [])
  return [...Map.groupBy(signs, likeness).values()].flatMap(asOne)
}

const kinds = ['event.', 'no-event.'] as const

/** Of many events the same is said once. */
function likeness({ is, about, words }: DoctorResult): string {
  const kind = kinds.find((one) => about.startsWith(`states.${one}`))
  return kind === undefined ? about : `${kind} ${is} ${words}`
}

function asOne(alike: readonly DoctorResult[]): readonly DoctorResult[] {
  const [first] = alike
  const kind = kinds.find((one) => first?.about.startsWith(`states.${one}`))
  return first && alike.length > 1 ? [{ ...first, about: `states.${kind}* (${alike.length})` }] : alike
}

function judgeState(
  state: StateId,
  provision: Provision,
  control: ControlOffers,
  proofs: readonly Proof[],
): DoctorResult | null {
  const about = `states.${state}`
  const { provide } = provision
  if (provide === 'wire') return null
  if (provide === 'none') return notConfigured(about, `not configured: ${provision.why}`)
  if (provide === 'attest') return unknownSign(about, attestation(provision))
  if (provide === 'control') return byControl(state, control)
  if (provide !== 'fixture') return unknownSign(about, `only a check brings it about by ${provide}`)
  if (isOfScenarios(state)) return unknownSign(about, 'only a scenario shows it')
  const proof = proofs.find((one) => one.state === state)
  return byFixture(proof, about)
}

function byControl(state: StateId, control: ControlOffers): DoctorResult {
  const about = `states.${state}`
  if (control === null || typeof control === 'string')
    return unknownSign(about, 'the control protocol did not say whether it has it')
  return control.states.includes(state)
    ? fine(about, 'the control protocol has it')
    : missing(about, 'the control protocol lacks it; provide it there, by another way, or by none')
}

function byFixture(proof: Proof | undefined, about: string): DoctorResult {
  if (!proof) return unknownSign(about, 'not looked at: the requests and turns for it are used up')
  if (proof.is === 'holds') return fine(about, 'a turn shows nothing against the fixture')
  return proof.is === 'refuted' ? wrong(about, proof.because) : unknownSign(about, proof.because)
}
