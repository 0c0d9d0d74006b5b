/** From the command to the first 200: `touchstone simulate` as it is published, beside those that mock a document. */
import { publishedCommand } from './built.ts'
import { idOf, rowOf, type Question, type Row } from './figures.ts'
import { inTurn, type Effort, type Side } from './measure.ts'
import { peers, prism, startPeer } from './peers.ts'
import { freePort, startServer, type ServerProcess } from './server-process.ts'

function side(name: string, start: () => Promise<ServerProcess>): Side {
  return {
    name,
    async once() {
      const server = await start()
      await server.stop()
      return server.startedIn
    },
  }
}

const question = { unit: 'ms', better: 'lower' } as const satisfies Partial<Question>

export async function startup({ rounds }: Effort): Promise<readonly Row[]> {
  const command = await publishedCommand()
  const simulate = side('touchstone simulate', async () => {
    const port = await freePort()
    const args = [command, 'simulate', '--port', String(port), '--json']
    return startServer(args, port, { method: 'GET', path: '/healthz' })
  })
  const others = (await peers()).map((peer) => side(peer.name, () => startPeer(peer)))
  const [ours, ...theirs] = await inTurn([simulate, ...others], rounds)
  const what = 'from the command to the first 200'
  return [
    rowOf({ ...question, id: 'startup/command', what, reach: { of: 'ours', value: 250 } }, ours),
    ...theirs.map((their) =>
      rowOf(
        {
          ...question,
          id: idOf('startup', their.name),
          what,
          ...(their.name === prism.name && { reach: { of: 'ratio', value: 0.35 } }),
        },
        ours,
        their,
      ),
    ),
  ]
}
