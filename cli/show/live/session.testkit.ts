/** A page of `check --ui` for tests, with its routes. */
import { request } from 'undici'
import { vi } from 'vitest'
import type { Simulator } from '../../../simulator/index.ts'
import { states } from '../../../spec/index.ts'
import type { LiveEnded, LiveEvent } from '../../../spec/types/show.ts'
import { main } from '../../main.ts'
import { testIo, type TestIo } from '../../process.testkit.ts'
import type { Io } from '../../io.ts'

/** A target file for a simulator, whose policy is `policy.yaml` beside it; its key is `env:MAIN`. */
export const targetText = ({ url, tenant }: Simulator): string =>
  [
    '# Staging of the chat team.',
    'apiVersion: touchstone/v1',
    `target: { name: ours, kind: staging, baseUrl: "${url}" }`,
    'principals:',
    '  main: { bearer: "env:MAIN", scopes: [chat] }',
    `agents: { plain: ${tenant.agents.plain} }`,
    'policy: policy.yaml',
    'states:',
    ...Object.keys(states).map((state) => `  ${state}: { provide: none, why: not here }`),
    '',
  ].join('\n')

export interface Answered {
  status: number
  body: unknown
}

export interface SessionPage {
  url: string
  io: TestIo
  /** Sends the token, and a body as JSON; `headers` replaces what is sent. */
  call(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answered>
  /** Resolves when the run of this number has ended. */
  ended(number: number): Promise<LiveEnded>
  /** Resolves with the exit code. */
  stop(): Promise<number>
}

/** `argv`: without `--ui`. Resolves when the page is served; the run goes on. */
export async function startPage(argv: readonly string[], over: Partial<Io> = {}): Promise<SessionPage> {
  const io = testIo(over)
  const code = main([...argv, '--ui'], io)
  const url = await vi.waitFor(() => addressIn(io.printed.err), { timeout: 60_000 })
  const [origin = '', token = ''] = url.split('/#token=')
  const authorization = `Bearer ${token}`
  return {
    url,
    io,
    call: (method, path, body, headers) =>
      sent(`${origin}${path}`, method, body, { authorization, ...headers }),
    ended: (number) => endOf(`${origin}/api/live/events`, authorization, number),
    async stop() {
      io.stop()
      return code
    },
  }
}

function addressIn(printed: string): string {
  const [address] = /http:\S+#token=\S+/.exec(printed) ?? []
  if (address === undefined) throw new Error(`no address is printed: ${printed}`)
  return address
}

async function sent(
  url: string,
  method: 'GET' | 'POST' | 'PUT',
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<Answered> {
  const json = body === undefined ? {} : { body: JSON.stringify(body) }
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const answered = await request(url, { method, headers: { ...type, ...headers }, ...json })
  return { status: answered.statusCode, body: await answered.body.json() }
}

/** The data of a stream, event by event, until it is left. */
export async function* eventsAt(
  url: string,
  headers: Readonly<Record<string, string>>,
): AsyncGenerator<{ id: string | undefined; event: LiveEvent }> {
  const { body } = await request(url, { headers })
  let text = ''
  for await (const chunk of body as AsyncIterable<Buffer>) {
    const frames = (text + chunk.toString('utf8')).split('\n\n')
    text = frames.pop() ?? ''
    for (const frame of frames) {
      const [, id] = /^id: (\d+)$/m.exec(frame) ?? []
      const [, data = ''] = /^data: (.*)$/m.exec(frame) ?? []
      yield { id, event: JSON.parse(data) as LiveEvent }
    }
  }
}

async function endOf(url: string, authorization: string, number: number): Promise<LiveEnded> {
  let at = 0
  for await (const { event } of eventsAt(url, { authorization })) {
    if (event.type === 'run') at = event.number
    if (event.type === 'ended' && at === number) return event
  }
  throw new Error(`the stream ended before run ${number} did`)
}
