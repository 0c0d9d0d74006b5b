/** What is reported and judged of requests that came in: the receiver of the harness, and what `listen` says of them. */
import { listenedDelivery, knownIds, personLine, programLine } from '../../../cli/listen/delivery.ts'
import { createInbox } from '../../../suites/inbound/server.ts'
import { realClock } from '../../../suites/index.ts'
import { readJournal } from '../../../bundle/journal/codec.ts'
import { changeBytes } from '../change-bytes.ts'
import { changeJson } from '../change-json.ts'
import { openPort } from '../closed-network.ts'
import type { Corpus } from '../corpus.ts'
import { say, serverBehind } from '../memory-socket.ts'
import { bytesOf, Defect, type Surface, type Surfaces } from '../surface.ts'
import { headTokens, requestBytes } from './http.ts'

const inbound = ({ exchanges }: Corpus) => exchanges.filter((one) => one.inbound)
const at = '2026-01-01T00:00:00.000Z'
const answered = { status: 200, headers: [], body: '', at: 1, end: 'answered' } as const

const listen: Surface = {
  parts: 8,
  seeds: (corpus) => corpus.lines.filter((_, at) => corpus.exchanges[at]?.inbound).map(bytesOf),
  change(seed, draw) {
    type Line = { request: { headers: [string, string][]; body: unknown } }
    const line = JSON.parse(Buffer.from(seed).toString()) as Line
    const { request } = line
    const list = request.headers
    if (draw.chance(50) && list.length > 0) {
      const [name, value] = draw.from(list)
      const changed = Buffer.from(changeBytes(bytesOf(value), draw, ['sha256=', 'whd_'].map(bytesOf)))
      list.splice(draw.below(list.length + 1), draw.below(2), [name, changed.toString('latin1')])
    } else if (typeof request.body === 'string') {
      const body = draw.chance(70) ? changeJson(request.body, draw) : null
      const bytes = (): Uint8Array => changeBytes(bytesOf(String(request.body)), draw, [seed])
      request.body = body ?? { base64: Buffer.from(bytes()).toString('base64') }
    }
    return bytesOf(JSON.stringify(line))
  },
  open() {
    const known = knownIds(100)
    return {
      feed(input) {
        for (const exchange of readJournal(Buffer.from(input).toString())) {
          const delivery = listenedDelivery(exchange, { at, secret: 'whsec', known })
          const outcome = { answered, tookMs: 1, notForwarded: null }
          const line = personLine(delivery, outcome, false)
          if (/[^\x20-\x7e]/.test(line.slice(0, -1)))
            throw new Defect(`a line that steers a terminal: ${JSON.stringify(line)}`)
          JSON.parse(programLine(delivery, outcome))
        }
      },
    }
  },
}

const receiver: Surface = {
  parts: 8,
  seeds: (corpus) => inbound(corpus).map(({ request }) => requestBytes({ ...request, path: '/hook/a' })),
  change: (seed, draw, others) => changeBytes(seed, draw, others, headTokens),
  async open() {
    const inbox = await createInbox({ clock: realClock(), placeLimit: 10, beyondLimit: 'forget' })
    const place = inbox.open('/hook')
    const url = `http://127.0.0.1:${inbox.port}/`
    openPort(inbox.port)
    const server = await serverBehind(url)
    return {
      async feed(input) {
        const { text } = await say(server, input, 0)
        if (text !== '' && !text.startsWith('HTTP/1.1 '))
          throw new Defect(`an answer that is none: ${text.slice(0, 80)}`)
      },
      async checkHealth() {
        const before = place.arrivals.at(-1)?.number ?? 0
        const delivery = requestBytes({ method: 'POST', path: '/hook', headers: [], body: bytesOf('{}') })
        const { text } = await say(server, delivery, null)
        if (!text.startsWith('HTTP/1.1 200'))
          throw new Defect(`a plain delivery is answered ${text.slice(0, 80)}`)
        if (place.arrivals.at(-1)?.number !== before + 1) throw new Defect('a plain delivery was not kept')
      },
      close: () => inbox.close(),
    }
  },
}

export const listening = { listen, receiver } satisfies Surfaces
