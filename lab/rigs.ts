/** Every rig: what it answers, in one line, and its module, which runs when it is imported. */
export interface Rig {
  readonly help: string
  readonly run: () => Promise<unknown>
}

export const rigs: Readonly<Record<string, Rig>> = {
  crash: {
    help: 'kill a simulator under load, again and again, and check that nothing is lost or done twice',
    run: () => import('./crash/main.ts'),
  },
  defects: {
    help: 'plant each listed way to break the contract in a second server and see which the suite finds',
    run: () => import('./defects/main.ts'),
  },
  documents: {
    help: 'lint the OpenAPI and AsyncAPI documents with spectral and the AsyncAPI parser',
    run: () => import('./documents/main.ts'),
  },
  fuzz: {
    help: 'feed malformed input to everything that reads input from outside',
    run: () => import('./fuzz/main.ts'),
  },
  hostile: {
    help: 'check targets that send far too much, and measure the memory and the time that it takes',
    run: () => import('./hostile/main.ts'),
  },
  image: {
    help: 'build the container image, run it, and run what the compose files of deploy/ describe',
    run: () => import('./image/main.ts'),
  },
  mutation: {
    help: 'change the judges one place at a time and count the changes that no test notices',
    run: () => import('./mutation/main.ts'),
  },
  package: {
    help: 'install the package and the pytest plugin in each way of the docs into an empty folder and run them there',
    run: () => import('./package/main.ts'),
  },
  release: {
    help: 'run what a release needs beside CI: seeds, mutation, fuzz, image, package, documents, hostile targets, speed',
    run: () => import('./release/main.ts'),
  },
  scale: {
    help: 'measure what each turn and tenant costs, and work out how many developers machines serve',
    run: () => import('./scale/main.ts'),
  },
  seeds: {
    help: 'run every random sequence, and the whole suite, over many seeds, and report each failure of a conforming server',
    run: () => import('./seeds/main.ts'),
  },
}
