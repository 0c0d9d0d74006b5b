/**
 * The page looks as it did when somebody last looked at it: pictures of a page that has everything, held against
 * those in `test/pages/`. After a change that is meant to be seen, write them anew, look at them, and commit them:
 *
 *     TAKE_PICTURES=1 npx vitest run --project whole test/pages/page-pictures.test.ts
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { executable, openViewer, why, type Look, type Viewer } from './browser.ts'
import { apart, coarse } from './likeness.ts'
import { samplePage } from './sample.ts'

const takeThem = process.env['TAKE_PICTURES'] !== undefined
/** Letters drawn by another version of the same font come to 0.002, a section that is missing to 0.055. */
const mostApart = 0.02
const scale = 0.2

const looks = {
  phone: { width: 360 },
  tablet: { width: 768 },
  desktop: { width: 1280 },
  dark: { width: 1280, dark: true },
  // The width of a sheet of A4 within its margins.
  paper: { width: 718, print: true },
} as const satisfies Record<string, Look>

const kept = (name: string): URL => new URL(`${name}.png`, import.meta.url)

describe.skipIf(executable === undefined)(`pictures of the page (or ${why})`, () => {
  let viewer: Viewer
  beforeAll(async () => {
    viewer = await openViewer()
  })
  afterAll(() => viewer.close())

  /** `spoil`: a script that breaks the page first. */
  async function picture(look: Look, spoil = ''): Promise<Buffer> {
    const page = await viewer.show(samplePage(), { ...look, scale })
    if (spoil !== '') await page.evaluate(spoil)
    const taken = await page.screenshot({ fullPage: true })
    await page.context().close()
    return coarse(taken)
  }

  test.for(Object.entries(looks))('%s', async ([name, look]) => {
    const taken = await picture(look)
    if (takeThem) writeFileSync(kept(name), taken)
    expect(apart(taken, readFileSync(kept(name)))).toBeLessThan(mostApart)
  })

  test.for([
    ['a section that is missing', `document.querySelector('#waivers').parentElement.remove()`],
    ['the last section missing', `document.querySelector('#glossary').parentElement.remove()`],
    ['no style', `document.querySelector('style').remove()`],
    [
      'a layout that fell apart',
      `for (const e of document.querySelectorAll('.answers, .facts')) e.className = ''`,
    ],
  ] as const)('%s is reported', async ([, spoil]) => {
    const reported = apart(await picture(looks.tablet, spoil), readFileSync(kept('tablet')))
    expect(reported).toBeGreaterThan(2 * mostApart)
  })
})
