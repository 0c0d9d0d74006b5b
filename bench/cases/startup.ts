/** Time from the command to the first 200: `touchstone simulate` as published, compared with the peers. */
import { publishedCommand } from '../processes/compiled.ts'
import { rowId, rowOf, type RowSpec, type BenchRow } from '../figures.ts'
import { interleave, type Effort, type BenchSide } from '../measure.ts'
import { peers, startPeer } from '../processes/peers.ts'
import { freePort, startServer, type ServerProcess } from '../processes/server-process.ts'

function side(name: string, start: () => Promise<ServerProcess>): BenchSide {
  return {
    name,
    async once() {
      const server = await start()
      await server.stop()
      return server.startedIn
    },
  }
}

const question = { unit: 'ms', better: 'lower' } as const satisfies Partial<RowSpec>

export async function startup(effort: Effort): Promise<readonly BenchRow[]> {
  const command = await publishedCommand()
  const simulate = side('touchstone simulate', async () => {
    const port = await freePort()
    const args = [command, 'simulate', '--port', String(port), '--json']
    return startServer(args, port, { method: 'GET', path: '/healthz' })
  })
  const others = (await peers(effort)).map((peer) => side(peer.name, () => startPeer(peer)))
  const [ours, ...theirs] = await interleave([simulate, ...others], effort.rounds)
  const what = 'from the command to the first 200'
  return [
    rowOf({ ...question, id: 'startup/command', what }, ours),
    ...theirs.map((their) => rowOf({ ...question, id: rowId('startup', their.name), what }, ours, their)),
  ]
}
