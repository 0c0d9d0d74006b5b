/** `npm run lab -- release [--only NAME]`: what a release needs beside CI, one after the other, with a line for each. */
import { execFileSync, spawnSync } from 'node:child_process'
import { oneOf, optionsOf } from '../../test/options.ts'

/** Words behind `npm run`; each takes minutes, all together some hours. */
const needed: Readonly<Record<string, readonly string[]>> = {
  matrix: ['kill-matrix'],
  seeds: ['lab', '--', 'seeds', '--seeds', '500'],
  mutation: ['lab', '--', 'mutation'],
  fuzz: ['lab', '--', 'fuzz'],
  image: ['lab', '--', 'image'],
  package: ['lab', '--', 'package'],
  documents: ['lab', '--', 'documents'],
  hostile: ['lab', '--', 'hostile'],
  speed: ['bench'],
}

const { values } = optionsOf({ options: { only: { type: 'string' } } })
const names = Object.keys(needed)
const chosen = values.only === undefined ? names : [oneOf('--only', values.only, names)]

for (const name of chosen) {
  const { status } = spawnSync('npm', ['run', '--silent', ...(needed[name] ?? [])], { stdio: 'inherit' })
  console.log(`${name}: ${status === 0 ? 'passed' : 'failed'}`)
  if (status !== 0) process.exitCode = 1
}
// The matrix has been written: it must have come out as it was.
execFileSync('git', ['diff', '--exit-code', 'reports/proof'], { stdio: 'inherit' })
