/** From the command to the first 200: `touchstone simulate` beside `prism mock` on the same document. */
import { compare, type Comparison, type Side } from './measure.ts'
import { prismCommand, prismProbe, simulateCommand } from './peers.ts'
import { freePort, startServer, type Probe } from './server-process.ts'

function side(name: string, command: (port: number) => readonly string[], probe: Probe): Side {
  return {
    name,
    async once() {
      const port = await freePort()
      const server = await startServer(command(port), port, probe)
      await server.stop()
      return server.startedIn
    },
  }
}

export function startup(rounds: number): Promise<Comparison> {
  return compare(
    'from the command to the first 200',
    side('touchstone simulate', simulateCommand, { method: 'GET', path: '/healthz' }),
    side('prism mock', prismCommand, prismProbe),
    rounds,
  )
}
