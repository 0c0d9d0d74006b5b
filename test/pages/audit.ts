/** An audit of a page for everybody who cannot see it, or uses no mouse. */
import axe from 'axe-core'
import type { CDPSession, Page } from 'playwright-core'

/** In a tenant of its own, where the page neither sees it nor forbids it: ids of rules with what breaks them. */
export async function audit(page: Page): Promise<readonly string[]> {
  const client: CDPSession = await page.context().newCDPSession(page)
  const { frameTree } = await client.send('Page.getFrameTree')
  const { executionContextId: contextId } = await client.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  })
  await client.send('Runtime.evaluate', { expression: axe.source, contextId })
  const { result } = await client.send('Runtime.evaluate', {
    expression: `axe.run().then(({ violations, passes }) => {
      if (passes.length < 10) throw new Error('it looked at nothing')
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html))
    })`,
    contextId,
    awaitPromise: true,
    returnByValue: true,
  })
  return result.value as readonly string[]
}
