/** Every rig: what it answers, in one line, and its module, which runs when it is imported. */
export interface Rig {
  readonly help: string
  readonly run: () => Promise<unknown>
}

export const rigs: Readonly<Record<string, Rig>> = {
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
    help: 'build the container image and run it as docs/containers.md says',
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
  recordings: {
    help: 'judge recordings of the same requests that tools of others made: browsers, clients and a proxy',
    run: () => import('./recordings/main.ts'),
  },
  release: {
    help: 'run what a release needs beside CI: seeds, mutation, fuzz, image, package, documents, hostile targets, speed',
    run: () => import('./release/main.ts'),
  },
  seeds: {
    help: 'run every random sequence, and the whole suite, over many seeds, and report each failure of a conforming server',
    run: () => import('./seeds/main.ts'),
  },
}
