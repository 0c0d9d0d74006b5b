/** The order of test files: the longest first, so that none of them is left to run alone when all others are done. */
import { basename } from 'node:path'
import { BaseSequencer, type TestSequencer, type TestSpecification, type Vitest } from 'vitest/node'

/** Vitest goes by the size of files where it remembers no times, as in CI: the longest of these are among the smallest. */
const longest = [
  'variants',
  'simulator-conforms',
  'other-server',
  'clients-examples',
  'null-targets',
  'dialects',
  'null-clients',
  'package',
  'docs',
  'counterexamples',
]

const placeOf = ({ moduleId, project }: TestSpecification): number => {
  const place = longest.indexOf(basename(moduleId, '.test.ts'))
  // Where nothing takes long, it hardly matters which worker has nothing left to do.
  if (project.name === 'unit') return longest.length + 1
  return place === -1 ? longest.length : place
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
