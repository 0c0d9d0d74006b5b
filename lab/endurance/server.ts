/** A simulator in its own process, so that its memory can be measured apart from its clients. */
import { createSimulator } from '../../simulator/index.ts'
import { tokenAt, type ServerQuery, type Service, type ServerMessage } from './served.ts'

const { long, timeouts } = JSON.parse(process.argv[2] ?? '{}') as Service
const notices: string[] = []
const tokens = Array.from({ length: long?.tokens ?? 0 }, (_, at) => tokenAt(at, long?.bytes ?? 0))
const simulator = await createSimulator({
  unlimited: true,
  replyRules: long ? [{ match: { message: 'at length' }, reply: { tokens } }] : [],
  ...(timeouts && { timeouts }),
  notice: (line) => notices.push(line),
})
const { tenant } = simulator

const send = (message: ServerMessage): void => void process.send?.(message)

const answers: Record<ServerQuery, () => ServerMessage> = {
  memory: () => {
    globalThis.gc?.()
    return { rss: process.memoryUsage().rss }
  },
  turns: () => ({ turns: 1_000_000 - tenant.credits('main') }),
  notices: () => ({ notices }),
}
process.on('message', (asked: ServerQuery) => send(answers[asked]()))
process.on('disconnect', () => process.exit())
send({ url: simulator.url, key: tenant.keys.main, agent: tenant.agents.plain })
