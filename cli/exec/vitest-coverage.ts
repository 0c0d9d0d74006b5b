/** A reporter of vitest that prints what the tests met that have their simulator from `useSimulator()`. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderVariable, journalsIn } from '../../simulator/vitest/journals.ts'
import { exitCodes } from '../exit-codes.ts'
import { concludeCoverage, createCoverage, requiredRows } from './coverage.ts'

export interface CoverageOptions {
  /** Patterns of what has to be met, such as `error.*`: the run fails otherwise. */
  require?: readonly string[]
  file?: string
}

/** The text is as wide as a terminal mostly is: vitest does not say how wide it is. */
const width = 100

export default class CoverageReporter {
  readonly #required: ReturnType<typeof requiredRows>
  readonly #file: string | undefined
  #folder = ''

  /** Throws a UsageError for a pattern that matches nothing. */
  constructor(options: CoverageOptions = {}) {
    this.#required = requiredRows(options.require ?? [])
    this.#file = options.file
  }

  onInit(): void {
    this.#folder = mkdtempSync(join(tmpdir(), 'touchstone-journals-'))
    process.env[folderVariable] = this.#folder
  }

  /** In watch mode there is another run after the end of one. */
  onTestRunStart(): void {
    mkdirSync(this.#folder, { recursive: true })
  }

  onTestRunEnd(): void {
    const coverage = createCoverage()
    for (const ended of journalsIn(this.#folder)) coverage.read(ended)
    rmSync(this.#folder, { recursive: true })
    const print = (text: string): unknown => process.stderr.write(text && `\n${text}`)
    const isMet = concludeCoverage(coverage, { required: this.#required, file: this.#file, print, width })
    if (!isMet) process.exitCode ||= exitCodes.nonconformant
  }
}
