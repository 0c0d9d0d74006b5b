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
  endurance: {
    help: 'measure the memory and the delay that slow readers and idle connections cost',
    run: () => import('./endurance/main.ts'),
  },
  fuzz: {
    help: 'feed malformed input to everything that reads input from outside',
    run: () => import('./fuzz/main.ts'),
  },
  growth: {
    help: 'send a million keys over a simulated week and measure what memory and file grow to',
    run: () => import('./growth/main.ts'),
  },
  hostile: {
    help: 'check targets that send far too much, and measure the memory and the time that it takes',
    run: () => import('./hostile/main.ts'),
  },
  image: {
    help: 'build the container image, run it, and run what the compose files of deploy/ describe',
    run: () => import('./image/main.ts'),
  },
  kits: {
    help: 'run the Postman and Bruno collections with newman and bru, and install the pytest plugin',
    run: () => import('./kits/main.ts'),
  },
  mcp: {
    help: "use the simulator's MCP server with the client of the official SDK",
    run: () => import('./mcp/main.ts'),
  },
  mutation: {
    help: 'change the judges one place at a time and count the changes that no test notices',
    run: () => import('./mutation/main.ts'),
  },
  package: {
    help: 'install the package in each way of docs/install.md into an empty folder and run it there',
    run: () => import('./package/main.ts'),
  },
  power: {
    help: 'measure how soon hard faults are found, and how often a conforming server is failed',
    run: () => import('./power/main.ts'),
  },
  scale: {
    help: 'measure what each turn and tenant costs, and work out how many developers machines serve',
    run: () => import('./scale/main.ts'),
  },
  seeds: {
    help: 'run every random sequence over many seeds, and report each that fails or has no verdict',
    run: () => import('./seeds/main.ts'),
  },
  siege: {
    help: 'attack a simulator with each store, with kills and a full disk, beside honest clients with an oracle',
    run: () => import('./siege/main.ts'),
  },
  site: {
    help: 'build the site, follow its links, search it, and look at its pages in a browser with axe',
    run: () => import('./site/main.ts'),
  },
}
