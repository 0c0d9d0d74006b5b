/** What a reader of `touchstone show` asks for: the run, the checks, the exchanges, one of them, and a search. */

/** `line`: the line of JSON that it prints when it listens. */
export async function visitRun(line: string): Promise<void> {
  const { origin, hash } = new URL((JSON.parse(line) as { url: string }).url)
  const headers = { authorization: `Bearer ${hash.slice('#token='.length)}` }
  const ask = async (path: string): Promise<unknown> => {
    const response = await fetch(`${origin}/api/runs${path}`, { headers })
    if (!response.ok) throw new Error(`${path}: status ${response.status}`)
    return response.json()
  }
  const { runs } = (await ask('')) as { runs: readonly { id: string }[] }
  const run = `/${runs[0]?.id}`
  for (const path of ['', '/checks', '/exchanges', '/exchanges/7', '/exchanges?text=diagnostics'])
    await ask(`${run}${path}`)
}
