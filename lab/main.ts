/** `npm run lab -- NAME [options]` runs a rig; without a name it lists them. */
import { rigs } from './rigs.ts'

const [name, ...options] = process.argv.slice(2)
const width = Math.max(...Object.keys(rigs).map(({ length }) => length))
const list = Object.entries(rigs).map(([rig, { help }]) => `  ${rig.padEnd(width)}  ${help}`)

if (name === undefined || name === '--help' || name === '-h') {
  console.log(['npm run lab -- NAME [options]', '', ...list].join('\n'))
} else if (Object.hasOwn(rigs, name)) {
  // A rig reads its own options, as if it had been started alone.
  process.argv.splice(2, Infinity, ...options)
  await rigs[name]?.run()
} else {
  console.error(`error: there is no rig ${name}; the rigs are ${Object.keys(rigs).join(', ')}.`)
  process.exitCode = 2
}
