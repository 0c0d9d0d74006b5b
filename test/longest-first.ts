/** The order of test files: the longest first, so that none of them is left to run alone when all others are done. */
import { basename } from 'node:path'
import { BaseSequencer, type TestSequencer, type TestSpecification, type Vitest } from 'vitest/node'

/** Vitest goes by the size of files where it remembers no times, as in CI: the longest of these are among the smallest. */
const longest = [
  'variants',
  'clients-examples',
  'simulator-conforms',
  'other-server',
  'verdicts',
  'console',
  'dialects',
  'gateway',
  'null-targets',
  'client-command-line',
  'hostile-targets',
  'null-clients',
  'redaction',
  'action',
  'page-browser',
  'older-variant',
  'docs',
  'real-time',
  'shards',
]

const placeOf = ({ moduleId, project }: TestSpecification): number => {
  const place = longest.indexOf(basename(moduleId, '.test.ts'))
  if (place !== -1) return place
  // Where nothing takes long, it hardly matters which worker has nothing left to do.
  return project.name === 'unit' ? longest.length + 1 : longest.length
}

export class LongestFirst implements TestSequencer {
  readonly #usual: BaseSequencer

  constructor(vitest: Vitest) {
    this.#usual = new BaseSequencer(vitest)
  }

  shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    return this.#usual.shard(files)
  }

  async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await this.#usual.sort(files)
    return usual.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}
