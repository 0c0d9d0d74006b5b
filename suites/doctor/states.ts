/** How each state would come about, and what speaks against it. Pure. */
import { states, type StateId } from '../../spec/index.ts'
import type { Offers } from '../engine/control.ts'
import { provisionOf } from '../engine/ladder.ts'
import type { Proof } from '../engine/prove.ts'
import { attestation } from '../engine/rungs/attest.ts'
import type { Target } from '../target/target.ts'
import { fine, missing, open, wrong, type Sign } from './sign.ts'

/** What the control protocol says it can do; words where it says nothing, null where it was not asked. */
export type Heard = Offers | string | null

export function judgeControl(heard: Heard, { timing }: Target): readonly Sign[] {
  if (heard === null) return []
  if (typeof heard === 'string')
    return [missing('control', `${heard}; mend control.url, or what speaks there`)]
  const known = heard.states.filter((state) => state in states).length
  const clock = heard.clock ? 'a clock that can be advanced' : 'no clock'
  const spoken = fine(
    'control',
    `it is spoken, with ${known} of ${Object.keys(states).length} states and ${clock}`,
  )
  if (timing.clock !== 'control' || heard.clock) return [spoken]
  return [
    spoken,
    missing('timing.clock', 'the control protocol has no clock; set `timing.clock: real`, or offer one'),
  ]
}

/** States that come about on the wire alone need no word. */
export function judgeStates(target: Target, control: Heard, proofs: readonly Proof[]): readonly Sign[] {
  return (Object.keys(states) as StateId[]).flatMap((state) => {
    const provision = provisionOf(state, target)
    const about = `states.${state}`
    switch (provision.provide) {
      case 'wire':
        return []
      case 'none':
        return [open(about, `not to be had here: ${provision.why}`)]
      case 'attest':
        return [open(about, attestation(provision))]
      case 'control':
        return [byControl(state, control)]
      case 'fixture':
        return [
          byFixture(
            proofs.find((proof) => proof.state === state),
            about,
          ),
        ]
      case 'http':
      case 'exec':
      case 'manual':
        return [open(about, `only a check brings it about by ${provision.provide}`)]
    }
  })
}

function byControl(state: StateId, control: Heard): Sign {
  const about = `states.${state}`
  if (control === null || typeof control === 'string')
    return open(about, 'the control protocol did not say whether it has it')
  return control.states.includes(state)
    ? fine(about, 'the control protocol has it')
    : missing(about, 'the control protocol lacks it; provide it there, by another way, or by none')
}

function byFixture(proof: Proof | undefined, about: string): Sign {
  if (!proof) return open(about, 'not looked at: the requests and turns for it are used up')
  if (proof.is === 'holds') return fine(about, 'a turn shows nothing against the fixture')
  return proof.is === 'refuted' ? wrong(about, proof.because) : open(about, proof.because)
}
