/**
 * Changes the judges one place at a time and counts how many of the changes a test notices.
 * `npm run lab -- mutation [FILE…] [--all] [--keep] [--quick] [--concurrency N]`.
 */
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { MutantResult, PartialStrykerOptions } from '@stryker-mutator/api/core'
import { optionsOf, refused, whole } from '../../test/options.ts'
import { importTool, installTools } from '../../test/tools.ts'
import { core } from './core.ts'
import { judgeAgain, record } from './record.ts'
import { summarize } from './score.ts'

interface StrykerModule {
  readonly Stryker: new (options: PartialStrykerOptions) => { runMutationTest(): Promise<MutantResult[]> }
}

/** What judges, and what reads for the judges: hours, where the core takes minutes. */
const everything = [
  'suites/{assertions,*/assertions}/**/*.ts',
  'suites/wire/{sse,sse-lines,json,body}.ts',
  'suites/receivers/{answers,each}.ts',
]
/** Of 100; below it the run ends with exit code 1. */
const least = 90

const { values, positionals } = optionsOf({
  allowPositionals: true,
  options: {
    /** Change whatever judges, and not only what every verdict stands on. */
    all: { type: 'boolean', default: false },
    /** Record nothing: what was recorded before will do. */
    keep: { type: 'boolean', default: false },
    /** Leave out what acts while modules are loaded, which takes a process for each: seconds, not milliseconds. */
    quick: { type: 'boolean', default: false },
    concurrency: { type: 'string', default: String(availableParallelism()) },
  },
})

// A name may be a pattern, and have the lines behind it that are to be changed.
const missing = positionals.find((name) => globSync(name.replace(/:\d.*$/, '')).length === 0)
if (missing !== undefined)
  refused(`${missing}: there is no such file; name one that judges, such as ${everything[0]}.`)
const concurrency = whole('concurrency', values.concurrency)

const named = positionals.length > 0 ? positionals : Object.keys(core)
const subject = values.all ? everything : named

if (values.keep) judgeAgain()
else await record()
const tools = installTools(fileURLToPath(new URL('stryker', import.meta.url)))
const { Stryker } = (await importTool(tools, '@stryker-mutator/core')) as StrykerModule
const results = await new Stryker({
  mutate: [...subject, '!suites/**/*.{test,double}.ts'],
  testRunner: 'judges',
  plugins: ['runner.ts', 'reporter.ts'].map((file) => fileURLToPath(new URL(file, import.meta.url))),
  coverageAnalysis: 'perTest',
  ignoreStatic: values.quick,
  concurrency,
  ignorePatterns: ['dist', 'touchstone-report', 'bench', 'docs', 'examples'],
  disableTypeChecks: false,
  reporters: ['html', 'survivors'],
  htmlReporter: { fileName: 'coverage/mutation.html' },
  // A busy machine is no endless loop, and those are found by counting.
  timeoutMS: 10_000,
}).runMutationTest()
const { lines, score } = summarize(results)
console.log(lines.join('\n'))
if (score < least) process.exitCode = 1
