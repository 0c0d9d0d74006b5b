/** The HTML report of 800 checks: its size, and the time to render it and to show it in a browser. */
import { htmlPage } from '../../reports/html/page.ts'
import { runOfMany } from '../../reports/html/many-checks.testkit.ts'
import { executable, openViewer, why } from '../../test/pages/browser.ts'
import { rowOf, type BenchRow } from '../figures.ts'
import { timed, type Effort } from '../measure.ts'

const checks = 800

async function times(rounds: number, once: () => Promise<number>): Promise<readonly number[]> {
  const values: number[] = []
  await once()
  for (let round = 0; round < rounds; round += 1) values.push(await once())
  return values
}

/** From a new tab to the frame after the page was laid out, in milliseconds. */
async function shownIn(markup: string, rounds: number): Promise<readonly number[]> {
  const viewer = await openViewer()
  try {
    return await times(rounds, async () => {
      const page = await viewer.show(markup)
      const frame =
        'new Promise((drawn) => requestAnimationFrame(() => setTimeout(() => drawn(performance.now()))))'
      const shown = await page.evaluate<number>(frame)
      await page.context().close()
      return shown
    })
  } finally {
    await viewer.close()
  }
}

export async function htmlReport({ rounds }: Effort): Promise<readonly BenchRow[]> {
  const run = runOfMany(checks, 'fail', (check) => `status 200 in check ${check}`)
  const markup = String(htmlPage.render(run))
  const name = 'report.html'
  const what = 'HTML report of 800 checks'
  const made = await times(rounds, () => timed(async () => htmlPage.render(run)))
  const size = { name, values: [Buffer.byteLength(markup) / 1e6] }
  const rows = [
    rowOf({ id: 'report/size', what, unit: 'MB', better: 'lower' }, size),
    rowOf(
      {
        id: 'report/made',
        what: `${what}: made`,
        unit: 'ms',
        better: 'lower',
      },
      { name, values: made },
    ),
  ]
  if (executable === undefined) {
    console.error(`skipping report/shown: ${why}`)
    return rows
  }
  const shown = {
    id: 'report/shown',
    what: `${what}: shown in Chromium`,
    unit: 'ms',
    better: 'lower',
  } as const
  return [...rows, rowOf(shown, { name, values: await shownIn(markup, rounds) })]
}
