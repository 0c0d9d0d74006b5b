/** A request that meets trouble: from what happens to it to what goes out. */
import { uncounted } from '../chat/access.ts'
import { errorBody, refuseChat } from '../chat/refusal.ts'
import { jsonReply, type HeaderLine, type Reply } from '../server/reply.ts'
import { asBytes, Broken, drop, sendReply, type ResponseLine } from '../server/send.ts'
import type { JsonObject } from '../json.ts'
import type { RateState } from '../tenant/rate.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import type { NetworkFaultAction } from './network-fault.ts'
import { encodedStream } from './stream-encoding.ts'

type Kind<K extends NetworkFaultAction['is']> = Extract<NetworkFaultAction, { is: K }>

function one<K extends NetworkFaultAction['is']>(
  met: readonly NetworkFaultAction[],
  kind: K,
): Kind<K> | undefined {
  return met.find((trouble): trouble is Kind<K> => trouble.is === kind)
}

/** `ask`: the answer of the service, and all that it does. Resolves when everything went out, or the line broke. */
export async function applyNetworkFaults(
  line: ResponseLine,
  met: readonly NetworkFaultAction[],
  ask: () => Reply | Promise<Reply>,
): Promise<void> {
  const { state, response } = line
  const [cut, wait, encode] = [one(met, 'cut'), one(met, 'wait'), one(met, 'encode')]
  if (cut?.when === 'before') return drop(line, cut.reset)
  const reply = instead(state, met) ?? (await ask())
  if (wait) await state.clock.sleep(wait.ms, { label: 'wait on the wire' })
  if (cut?.when === 'after') {
    await workOf(reply)
    return drop(line, cut.reset)
  }
  if (response.destroyed) return
  const encoded =
    encode && reply.kind === 'stream'
      ? asBytes(line, reply, (events) => encodedStream(events, encode.as, state))
      : reply
  if (!cut) return sendReply(line, encoded)
  const whole = asBytes(line, encoded)
  return sendReply(line, whole.kind === 'drop' ? whole : { ...whole, chunks: brokenOff(whole.chunks, cut) })
}

/** The answer that comes without the service; the first that is asked for. */
function instead(state: TenantState, met: readonly NetworkFaultAction[]): Reply | undefined {
  const trouble = met.find(({ is }) => is === 'refuse' || is === 'answer')
  if (trouble?.is === 'refuse') return refusalOf(state, trouble)
  return trouble?.is === 'answer' ? given(trouble) : undefined
}

function refusalOf(
  tenantState: TenantState,
  { code, retryAfterSeconds = 1, ...limits }: Kind<'refuse'>,
): Reply {
  const { rules } = tenantState
  const state = {
    ...uncounted(tenantState),
    ...(code === 'RATE_LIMITED' ? limited(tenantState, retryAfterSeconds, limits) : {}),
  }
  const refusal = refuseChat(code, undefined, membersOf(tenantState, code, state))
  return jsonReply(
    refusal.status,
    errorBody(refusal, rules),
    { operation: 'chat', code },
    rules.rateHeaders(state),
  )
}

function limited(
  { rules, clock }: TenantState,
  seconds: number,
  { limit = rules.rate.limit, remaining = 0 }: { limit?: number; remaining?: number },
): Partial<RateState> {
  const retryAfterMs = seconds * 1_000
  return { limit, remaining, retryAfterMs, resetAt: clock.now() + retryAfterMs }
}

function membersOf({ rules }: TenantState, code: string, state: RateState): JsonObject {
  if (code === 'RATE_LIMITED') return rules.rateBody(state)
  return code === 'INSUFFICIENT_CREDITS' ? { credits_required: 1, credits_remaining: 0 } : {}
}

function given({ status, headers = {}, body }: Kind<'answer'>): Reply {
  const bytes = Buffer.from(body)
  const own: HeaderLine[] = Object.entries(headers)
  const length: HeaderLine[] = own.some(([name]) => name.toLowerCase() === 'content-length')
    ? []
    : [['Content-Length', `${bytes.length}`]]
  return {
    kind: 'bytes',
    status,
    headers: [...own, ...length],
    chunks: [bytes],
    about: { operation: 'none' },
  }
}

/** A stream is done when its last event is there, whoever hears it. */
async function workOf(reply: Reply): Promise<void> {
  if (reply.kind !== 'stream') return
  const events = reply.events[Symbol.asyncIterator]()
  try {
    while (!(await events.next()).done);
  } catch {
    // The turn broke off, and so does the line.
  }
}

/** The beginning of a body, and then the connection breaks. */
async function* brokenOff(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { bytes, reset }: Kind<'cut'>,
): AsyncGenerator<Uint8Array> {
  const by = reset ? 'reset' : 'cut'
  if (bytes === undefined) {
    const whole = await together(chunks)
    yield whole.subarray(0, whole.length >> 1)
    throw new Broken(by)
  }
  let left = bytes
  for await (const chunk of chunks) {
    if (left <= 0) break
    yield chunk.subarray(0, left)
    left -= chunk.length
  }
  throw new Broken(by)
}

async function together(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}
