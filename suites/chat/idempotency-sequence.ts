/** Sampled sequences over a few keys, judged against a model of what each key has to be by then. */
import * as fc from 'fast-check'
import type { ChatRequest, Player } from '../engine/player.ts'
import { scenario, type Profile } from '../engine/scenario.ts'
import { follows } from '../judge/key-model.ts'

type Source = Pick<Player, 'key' | 'text' | 'pick'>
type Command = 'send' | 'send as stream' | 'resend' | 'other message' | 'other mode'

const commands = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Command>('send') },
  { weight: 1, arbitrary: fc.constant<Command>('send as stream') },
  { weight: 4, arbitrary: fc.constant<Command>('resend') },
  { weight: 2, arbitrary: fc.constant<Command>('other message') },
  { weight: 2, arbitrary: fc.constant<Command>('other mode') },
)

/** How every sequence begins, so that it has each kind of step whatever is drawn: with a JSON turn and with a stream. */
const opening: readonly (readonly [Command, number])[] = [
  ['send', 0],
  ['resend', 0],
  ['other message', 0],
  ['resend', 0],
  ['other message', 0],
  ['other mode', 0],
  ['send as stream', 1],
  ['other mode', 1],
  ['other message', 1],
  ['resend', 1],
  ['other mode', 1],
]

/** Requests of one key each step; what a command means depends on whether its key was used before. */
function sequence(source: Source, keys: number, length: number): readonly ChatRequest[] {
  const used = new Map<number, { message: string; idempotency_key: string; stream: boolean }>()
  const step = fc.tuple(commands, fc.nat(keys - 1))
  const drawn = fc.sample(step, { seed: source.pick(2 ** 31), numRuns: length - opening.length })
  return [...opening, ...drawn].map(([command, slot]) => {
    const before = used.get(slot)
    if (!before) {
      const first = {
        message: source.text(30 + slot),
        idempotency_key: source.key(),
        stream: command === 'send as stream',
      }
      used.set(slot, first)
      return first
    }
    if (command === 'other message') return { ...before, message: source.text(60 + slot), stream: false }
    return command === 'other mode' ? { ...before, stream: !before.stream } : before
  })
}

const sampled = (keys: number, length: number, profile: Profile) =>
  scenario({
    title: `in ${length} requests over ${keys} keys every key is at every moment what it has to be`,
    exchanges: ['steps[]'],
    cost: { requests: length, turns: keys },
    profile,
    async play(t) {
      for (const request of sequence(t, keys, length)) await t.add('steps', request)
    },
    judge: {
      'IDEM-FRESH-UNMARKED': ({ steps }) => follows(steps, 'first'),
      'IDEM-REPLAY-AGAIN': ({ steps }) => follows(steps, 'undisturbed'),
      'IDEM-CONFLICT-STATUS': ({ steps }) => follows(steps, 'other-message'),
      'IDEM-CONFLICT-UNCHANGED': ({ steps }) => follows(steps, 'after-other-message'),
      'IDEM-OTHER-MODE': ({ steps }) => follows(steps, 'other-mode'),
    },
  })

export const short = sampled(4, 20, 'standard')
export const long = sampled(10, 80, 'exhaustive')
