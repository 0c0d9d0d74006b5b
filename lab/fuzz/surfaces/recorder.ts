/** The recorder against a server that answers with anything: it always gives an exchange, and never throws. */
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { realClock } from '../../../suites/index.ts'
import { fromLine, toLine } from '../../../bundle/journal/codec.ts'
import { createRecorder } from '../../../suites/wire/recorder.ts'
import { changeBytes } from '../change-bytes.ts'
import { openPort } from '../closed-network.ts'
import { bytesOf, Defect, type Surface, type Surfaces } from '../surface.ts'
import { headTokens } from './http.ts'

const answers = [
  'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
  'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n8\r\ndata: 1\n\r\n1\r\n\n\r\n0\r\n\r\n',
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\nX-A: b\r\n\r\n',
  'HTTP/1.1 301 Moved\r\nLocation: /\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.0 200 OK\r\n\r\nto the end',
]

const about = { scenario: 's', name: 'n', method: 'POST', path: '/x', principal: null }
const request = { ...about, headers: [], body: bytesOf('{}') }

export const recorders = {
  recorder: {
    parts: 0.5,
    seeds: () => answers.map(bytesOf),
    change: (seed, draw, others) => changeBytes(seed, draw, others, headTokens),
    async open() {
      let answer: Uint8Array = bytesOf(answers[0] ?? '')
      const sockets = new Set<Socket>()
      const server = createServer((socket) => {
        sockets.add(socket.on('error', () => undefined).on('close', () => void sockets.delete(socket)))
        socket.on('data', () => socket.end(answer))
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      openPort(port)
      const baseUrl = `http://127.0.0.1:${port}`
      const recorder = createRecorder({ baseUrl, timeoutMs: 1_000, clock: realClock() })
      return {
        async feed(input) {
          answer = input
          const exchange = await recorder.send(request)
          if (exchange.response === null && exchange.failure === null)
            throw new Defect('neither an answer nor a failure')
          if (toLine(fromLine(toLine(exchange))) !== toLine(exchange))
            throw new Defect('its journal line is another exchange')
        },
        async checkHealth() {
          answer = bytesOf(answers[0] ?? '')
          const { response } = await recorder.send(request)
          if (response?.status !== 200) throw new Defect('afterwards a plain answer is not recorded')
        },
        async close() {
          await recorder.close()
          for (const socket of sockets) socket.destroy()
          await new Promise<void>((resolve) => void server.close(() => resolve()))
        },
      }
    },
  } satisfies Surface,
} satisfies Surfaces
