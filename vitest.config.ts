import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'

const isInCi = process.env['CI'] !== undefined
const everywhere = ['node_modules/**', 'dist/**']
const packed = ['test/package.test.ts', 'test/runtimes.test.ts']

// Tests start our commands some hundred times: what Node compiled for one of them is there for all others.
process.env['NODE_COMPILE_CACHE'] ??= resolve(import.meta.dirname, 'node_modules/.cache/touchstone')

// `unit` is what `npm run check` runs on every save, `whole` holds rooms against each other.
export default defineConfig({
  test: {
    // Runs wait for clocks a good part of their time. In CI the kill matrix runs beside them.
    maxWorkers: Math.ceil((isInCi ? 1.5 : 2) * availableParallelism()),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          // Modules are loaded once for all files, which is most of the time it takes; nothing keeps state in one.
          isolate: false,
          include: ['{spec,simulator,suites,client,bundle,reports,cli}/**/*.test.ts'],
          exclude: everywhere,
          // Long enough for a machine that is busy with other tests: it ends what hangs.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        test: {
          name: 'whole',
          // As above; and code that ran for one file is warm for the next. What a file sets, it sets back.
          isolate: false,
          include: ['{test,lab}/**/*.test.ts'],
          exclude: [...everywhere, ...packed],
          maxConcurrency: 4,
          // These end a test that hangs, and none because the machine is busy.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: { poll: { timeout: 60_000 } },
        },
      },
      // Part of the package check, which makes the tarball that it installs.
      { test: { name: 'package', include: packed, testTimeout: 300_000, hookTimeout: 300_000 } },
    ],
  },
})
