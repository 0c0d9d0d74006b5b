/** A request of the operator, such as one to an admin API. */
import { request } from 'undici'
import type { HttpHook, Provision } from '../../../config/provided.ts'
import { fillTemplate } from '../../../config/template.ts'
import { withDeadline } from './deadline.ts'
import { blotted } from './blotted.ts'
import { certainlyUnsent } from './reached.ts'
import {
  clearly,
  NotEntered,
  noLeave,
  oddAnswer,
  unclear,
  type StateProvider,
  type ProviderEntry,
  mustFill,
} from './provider.ts'
import { errorMessage } from '../../../../reports/bundle/text.ts'

type Http = Provision<'http'>

export const http: StateProvider<'http'> = {
  async enter(entry, provision) {
    mustFill(provision.enter, entry)
    const answer = await send(provision.enter, entry, provision).catch((thrown: unknown) => {
      throw new NotEntered(wordsOf(thrown, provision), certainlyUnsent(thrown) ? clearly : unclear)
    })
    if (answer !== null) throw new NotEntered(answer, clearly)
    return noLeave
  },
  leaver(provision) {
    const { leave } = provision
    if (!leave) return null
    return async (entry) => {
      const odd = oddAnswer(leave, entry)
      if (odd !== null) throw new Error(`its hook is not run: ${odd}`)
      const because = await send(leave, entry, provision).catch((thrown: unknown) =>
        wordsOf(thrown, provision),
      )
      if (because !== null) throw new Error(because)
    }
  },
}

/** Null, or words for an answer that was not expected. Throws when there was none. */
async function send(
  hook: HttpHook,
  entry: ProviderEntry,
  { timeoutSeconds, secrets }: Http,
): Promise<string | null> {
  const { method, expect } = hook
  const url = fillTemplate(hook.url, entry.about, encodeURIComponent)
  const { headers, json } = fillTemplate({ headers: hook.headers, json: hook.json }, entry.about)
  const type = json === undefined ? [] : [['content-type', 'application/json'] as const]
  const deadline = { clock: entry.deps.clock, seconds: timeoutSeconds, signal: entry.signal }
  const name = `${method} to ${new URL(url).host}`
  try {
    return await withDeadline(deadline, async (signal) => {
      const answer = await request(url, {
        method,
        headers: [...type, ...headers].flat(),
        body: json === undefined ? null : JSON.stringify(json),
        signal,
      })
      const text = await answer.body.text()
      if (expect.includes(answer.statusCode)) return null
      const said = text === '' ? '' : `: ${blotted(text, secrets).slice(0, 200)}`
      return `its hook (${name}) was answered ${answer.statusCode}${said}; expected ${expect.join(' or ')}`
    })
  } catch (thrown) {
    const words = errorMessage(thrown)
    throw new Error(
      `its hook (${name}) ${/^(took|was)/.test(words) ? words : `was not answered: ${words}`}`,
      {
        cause: thrown,
      },
    )
  }
}

function wordsOf(thrown: unknown, { secrets }: Http): string {
  return blotted(errorMessage(thrown), secrets)
}
