/** `touchstone check`: runs the suite against a target, writes the reports and says how it went. */
import { annotations, renderText } from '../../reports/index.ts'
import type { Io } from '../io.ts'
import { bundleFiles, bundleOf, secretsOf, withoutSecrets, writeBundle } from '../bundle/bundle.ts'
import type { CheckOptions } from './command.ts'
import { clearCounterexamples, counterexamplesOf, writeCounterexamples } from '../bundle/counterexamples.ts'
import { openFolder } from '../bundle/folder.ts'
import { mustBeClean } from '../bundle/leaks.ts'
import { mustBeLeft } from '../bundle/ledger.ts'
import { createReporter } from './progress.ts'
import { runners } from './runners.ts'
import { openTarget } from './target.ts'

/** Gives the exit code of the run. Throws UsageError, ConfigurationError and TargetUnreachable. */
export async function check(named: string | undefined, options: CheckOptions, io: Io): Promise<number> {
  const place = await openTarget(named, options, io)
  const reporter = createReporter(io, options.quiet ?? false)
  const told = (): void => {
    reporter.end()
    io.err('Ending: what was done so far is reported. Ctrl-C again ends at once, without a report.\n')
  }
  io.stopped.addEventListener('abort', told, { once: true })
  try {
    mustBeLeft(options.out, place.target)
    const folder = openFolder(options.out, bundleFiles)
    clearCounterexamples(folder)
    const run = await runners[options.runner](place.target, options, { io, reporter, folder })
    reporter.end()
    const clean = withoutSecrets(run, place.target)
    const counterexamples = counterexamplesOf(clean, place.target)
    const bundle = bundleOf(clean, place.target, counterexamples)
    mustBeClean(new Map([...bundle, ...counterexamples]), secretsOf(place.target))
    writeBundle(bundle, folder)
    writeCounterexamples(counterexamples, folder)
    if (io.env['GITHUB_ACTIONS'] === 'true') io.out(annotations(clean))
    const beside = { files: new Set(counterexamples.keys()) }
    io.out(renderText(clean, { colour: io.colour, width: io.width, folder: folder.path, beside }))
    return clean.record.exitCode
  } finally {
    io.stopped.removeEventListener('abort', told)
    reporter.end()
    await place.close()
  }
}
