/** `npm run lab -- endurance`: what a simulator has to endure, in the numbers that it is meant for. Prints figures. */
import { connectionsMost, descriptorLimit } from '../../simulator/server/descriptors.ts'
import { idleConnections, slowReaders } from './scenarios.ts'

const streams = 200
const connections = 10_000
const bounds = { stream: 1024 * 1024, connection: 48 * 1024 }

const round = (number: number): string => number.toFixed(1)
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const failures: string[] = []

function hold(what: string, is: boolean): void {
  if (!is) failures.push(what)
}

const slow = await slowReaders(streams)
say(
  `${streams} streams of ${round(slow.read / 1e6)} MB that nobody reads: ${round(slow.each / 1024)} KiB resident each; a turn beside them ${round(slow.meanwhile)} ms, before ${round(slow.before)} ms`,
)
hold('a stream that nobody reads takes too much', slow.each < bounds.stream)
hold('a stream that was read late is not whole', slow.inOrder)

// The clients are in this process, as many descriptors as there are in that of the simulator.
const room = connectionsMost(descriptorLimit() ?? 0)
if (room < connections)
  say(`${connections} idle connections: left out, there is room for ${room} here; see ulimit -n`)
else {
  const idle = await idleConnections(connections)
  say(
    `${idle.taken} idle connections: ${round(idle.each / 1024)} KiB resident each; a turn beside them ${round(idle.meanwhile)} ms, before ${round(idle.before)} ms`,
  )
  hold('an idle connection was not taken', idle.taken === connections)
  hold('an idle connection takes too much', idle.each < bounds.connection)
}

for (const failure of failures) process.stderr.write(`${failure}\n`)
process.exitCode = failures.length > 0 ? 1 : 0
