/** The token of this session: from the printed address, or from another tab that has it. */
import { token, tokenMissing } from '../state/api.ts'
import { redeemCode } from './api.ts'

// A channel reaches this origin only, and its messages have no target.
/* oxlint-disable unicorn/require-post-message-target-origin */

const storageKey = 'touchstone-token'
const tabs = new BroadcastChannel('touchstone-token')
/** Another tab answers in a few milliseconds. */
const tabsMs = 150

/** Takes the token, or the code for it, out of the address, so that neither history nor bookmarks have it. */
async function fromAddress(): Promise<string> {
  const [, kind, given = ''] = /^#(token|code)=([\w-]+)$/.exec(location.hash) ?? []
  if (given !== '') location.replace('#/')
  return kind === 'code' ? await redeemed(given) : given
}

/** A code counts once; for another the page asks for the address. */
async function redeemed(code: string): Promise<string> {
  try {
    return (await redeemCode(code)).token
  } catch {
    return ''
  }
}

/** A link that is opened in a new tab has no token; only tabs of this origin hear the question. */
function fromTabs(): Promise<string> {
  return new Promise((resolve) => {
    const receive = ({ data }: MessageEvent<unknown>): void => {
      if (typeof data !== 'object' || data === null || !('token' in data)) return
      tabs.removeEventListener('message', receive)
      resolve(String(data.token))
    }
    tabs.addEventListener('message', receive)
    tabs.postMessage('token')
    setTimeout(() => resolve(''), tabsMs)
  })
}

function useToken(given: string): void {
  token.value = given
  tokenMissing.value = given === ''
  sessionStorage.setItem(storageKey, given)
}

/** Kept for this tab, so that the page can be loaded again. */
export async function openSession(): Promise<void> {
  useToken((await fromAddress()) || (sessionStorage.getItem(storageKey) ?? '') || (await fromTabs()))
  tabs.addEventListener('message', ({ data }) => {
    if (data === 'token' && token.value !== '') tabs.postMessage({ token: token.value })
  })
}

/** `text`: the printed address, or its token. */
export function enterSession(text: string): void {
  useToken(text.trim().replace(/^.*#token=/, ''))
}
