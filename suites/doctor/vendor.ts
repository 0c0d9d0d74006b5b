/** Which vendor's word a target writes, from one turn and its replay. */
import { identifiersIn } from '../../spec/identifiers.ts'
import type { Equipment } from '../engine/equipment.ts'
import { chatRequest, sameAgain } from '../engine/request.ts'
import { ordinary } from '../engine/settings.ts'
import { otherVendor, vendorAdvice } from '../engine/vendor-seen.ts'
import type { Target } from '../target/target.ts'
import { fine, open, wrong, type Sign } from './sign.ts'

const about = 'target.vendor'

/** Sends a turn, and the same request again. `patienceMs`: for each of them. */
export async function lookAtVendor(
  target: Target,
  equipment: Equipment,
  patienceMs: number,
): Promise<readonly Sign[]> {
  const self = ordinary(target)
  if (!self) return []
  const setting = { agent: target.agents.plain, secondAgent: '', message: '', cast: { self } }
  const letterhead = equipment.letterhead('doctor vendor')
  const patience = { timeoutMs: patienceMs }
  const { plain } = target.fixtures.messages
  const message = plain ?? letterhead.source.text()
  const turn = await equipment.wire.send(chatRequest('turn', { message, patience }, setting, letterhead))
  const replay = await equipment.wire.send(sameAgain('replay', turn, { patience }, setting, letterhead), {
    turns: 0,
  })
  const seen = otherVendor([turn, replay], target)
  if (seen === null)
    return [open(about, 'no replay header was seen; where the word is not `service`, add target.vendor')]
  if (seen !== 'settled') return [wrong(about, vendorAdvice(seen))]
  return [fine(about, `a replay carries ${identifiersIn(target).replayHeader}`)]
}
