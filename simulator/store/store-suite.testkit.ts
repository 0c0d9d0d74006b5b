/** What every store has to do, whatever it is made of. */
import { expect, test } from 'vitest'
import type { Claim, Claimed, Commit, Document, Store, TenantRow } from './store.ts'

/** Opens a store with nothing in it; `beside`: the same as another process has it, where there can be one. */
export type OpenEmpty = () => Promise<{ store: Store; beside?: Store; end: () => Promise<void> }>

const long = 3_600_000
const row = (id: string): TenantRow => ({ id, seed: `seed of ${id}`, options: '{"legacy":true}' })
const document = (id: string, body: unknown = {}, place = 1, kind = 'key'): Document => ({
  kind,
  id,
  place,
  body: JSON.stringify(body),
})

const commit = ({ id, epoch }: Pick<Claim, 'id' | 'epoch'>, change: Partial<Commit>): Commit => ({
  tenant: id,
  epoch,
  put: [],
  removed: [],
  dueInMs: null,
  ...change,
})

/** A tenant that `owner` runs, in its first epoch. */
async function founded(store: Store, id: string, owner = 'a'): Promise<Claim> {
  await store.renew({ id: owner, address: `http://${owner}` }, long)
  expect(await store.found(row(id), [`digest-${id}`], owner)).toBe(true)
  return { ...row(id), epoch: 1 }
}

async function claimed(answer: Promise<Claimed>): Promise<Claim> {
  const result = await answer
  if (result.is !== 'claimed') throw new Error(`it is ${result.is}`)
  return result.claim
}

const read = (store: Store, tenant: string): Promise<readonly Document[]> =>
  Array.fromAsync(store.documents(tenant))

const intents: Readonly<Record<string, (store: Store, beside: Store) => Promise<void>>> = {
  'a tenant is known by each of its tokens, and the oldest stands first': async (store) => {
    expect(await store.found(row('second'), ['one', 'two'], 'a')).toBe(true)
    expect(await store.found(row('first'), [], 'a')).toBe(true)
    expect([await store.tenantOf('one'), await store.tenantOf('two'), await store.tenantOf('three')]).toEqual(
      ['second', 'second', null],
    )
    expect(await store.tenants()).toEqual(['second', 'first'])
  },

  'a tenant whose id or token is taken is not made, and changes nothing': async (store) => {
    await founded(store, 'x')
    expect(await store.found({ ...row('x'), seed: 'other' }, ['new'], 'b')).toBe(false)
    expect(await store.found(row('y'), ['new', 'digest-x'], 'b')).toBe(false)
    expect([await store.tenants(), await store.tenantOf('new')]).toEqual([['x'], null])
    expect(await claimed(store.claim('x', 'a'))).toMatchObject(row('x'))
  },

  'a tenant is run by one replica until its lease is over or it leaves': async (store) => {
    await founded(store, 'x')
    expect(await store.claim('x', 'b')).toEqual({ is: 'held', address: 'http://a' })
    for (const id of ['unknown', 'x\u0000', '\ud800'])
      expect(await store.claim(id, 'b')).toEqual({ is: 'missing' })
    await store.renew({ id: 'a', address: 'http://a' }, 0)
    expect(await claimed(store.claim('x', 'b'))).toEqual({ ...row('x'), epoch: 2 })
    expect(await store.renew({ id: 'b', address: 'http://b' }, long)).toBe('new')
    expect(await store.renew({ id: 'b', address: 'http://b' }, long)).toBe('held')
    expect(await store.claim('x', 'a')).toEqual({ is: 'held', address: 'http://b' })
    await store.leave('b')
    expect(await claimed(store.claim('x', 'a'))).toEqual({ ...row('x'), epoch: 3 })
    expect(await store.renew({ id: 'b', address: 'http://b' }, long)).toBe('new')
  },

  'an owner claims its own once more, and its older claim ends': async (store) => {
    const first = await founded(store, 'x')
    const second = await claimed(store.claim('x', 'a'))
    expect(await store.commit('a', [commit(first, { put: [document('k')] })])).toEqual(['x'])
    expect(await store.commit('a', [commit(second, { put: [document('k')] })])).toEqual([])
  },

  'what is put stands in the order of places, by kind, the last of each id': async (store) => {
    const claim = await founded(store, 'x')
    const put = [
      document('b', 'b', 2),
      document('a', 'a', 10),
      document('c', 'c', 1),
      document('a', 1, 5, 'run'),
    ]
    await store.commit('a', [commit(claim, { put })])
    await store.commit('a', [commit(claim, { put: [document('c', 'new', 30)] })])
    expect(await read(store, 'x')).toEqual([
      document('b', 'b', 2),
      document('a', 'a', 10),
      document('c', 'new', 30),
      document('a', 1, 5, 'run'),
    ])
  },

  'what is removed is gone, of that kind and tenant alone': async (store) => {
    const [x, y] = [await founded(store, 'x'), await founded(store, 'y')]
    const both = [document('a'), document('a', {}, 1, 'run')]
    await store.commit('a', [commit(x, { put: both }), commit(y, { put: both })])
    await store.commit('a', [
      commit(x, {
        removed: [
          { kind: 'key', id: 'a' },
          { kind: 'key', id: 'never' },
        ],
      }),
    ])
    expect([await read(store, 'x'), await read(store, 'y')]).toEqual([[both[1]], both])
  },

  'of a tenant that was lost nothing is written, of the others all': async (store) => {
    const [lost, kept] = [await founded(store, 'lost'), await founded(store, 'kept')]
    await store.leave('a')
    await store.claim('lost', 'b')
    const written = [lost, kept].map((claim) => commit(claim, { put: [document('k')] }))
    expect(await store.commit('a', written)).toEqual(['lost'])
    expect(await store.commit('b', [commit(kept, { put: [document('k', 'b')] })])).toEqual(['kept'])
    expect([await read(store, 'lost'), await read(store, 'kept')]).toEqual([[], [document('k')]])
  },

  'what is due is claimed once it is free, and by one replica alone': async (store, beside) => {
    const names = Array.from({ length: 40 }, (_, at) => `t${at}`)
    const claims = await Promise.all(names.map((name) => founded(store, name)))
    const dueInMs = [0, null, long]
    const commits = claims.map((claim, at) => commit(claim, { dueInMs: dueInMs[at % 3] ?? null }))
    await store.commit('a', commits.slice(0, 20))
    // A store may write those of one tenant in another way.
    for (const one of commits.slice(20)) await store.commit('a', [one])
    const owners = Array.from({ length: 8 }, (_, at) => `r${at}`)
    await Promise.all([...owners, 'b', 'c'].map((id) => store.renew({ id, address: '' }, long)))
    expect(await store.claimDue('b', 100, [])).toEqual([])
    await store.leave('a')
    const turns = await Promise.all(
      owners.map((owner, at) => (at % 2 ? store : beside).claimDue(owner, 3, [])),
    )
    const taken = turns.flat().map(({ id, epoch }) => `${id} ${epoch}`)
    const rest = [...(await store.claimDue('b', 100, [])), ...(await store.claimDue('c', 100, []))]
    const all = [...taken, ...rest.map(({ id, epoch }) => `${id} ${epoch}`)]
    expect(all.toSorted()).toEqual(
      names
        .filter((_, at) => at % 3 === 0)
        .map((name) => `${name} 2`)
        .toSorted(),
    )
    expect(Math.max(...turns.map(({ length }) => length))).toBeLessThanOrEqual(3)
  },

  'a due tenant that its owner does not host is claimed by its owner alone': async (store) => {
    const [execution, astray] = [await founded(store, 'owned'), await founded(store, 'astray')]
    await store.commit(
      'a',
      [execution, astray].map((claim) => commit(claim, { dueInMs: 0 })),
    )
    expect(await store.claimDue('b', 9, [])).toEqual([])
    expect(await store.claimDue('a', 9, ['owned', 'unknown'])).toEqual([{ ...astray, epoch: 2 }])
  },

  'of many that claim one tenant at once, one has it': async (store, beside) => {
    await founded(store, 'x')
    await store.leave('a')
    const owners = Array.from({ length: 12 }, (_, at) => `r${at}`)
    for (const id of owners) await store.renew({ id, address: `http://${id}` }, long)
    const answers = await Promise.all(owners.map((owner, at) => (at % 2 ? store : beside).claim('x', owner)))
    const winner = answers.findIndex(({ is }) => is === 'claimed')
    const owned = answers.map((answer) => (answer.is === 'held' ? answer.address : answer.is))
    expect(owned).toEqual(owners.map((_, at) => (at === winner ? 'claimed' : `http://${owners[winner]}`)))
  },

  'what is released is free, and due when it was said': async (store) => {
    const [soon, never] = [await founded(store, 'soon'), await founded(store, 'never')]
    await store.release('b', soon, 0)
    await store.release('a', { ...never, epoch: 7 }, 0)
    await store.renew({ id: 'b', address: '' }, long)
    expect(await store.claimDue('b', 9, [])).toEqual([])
    await store.release('a', soon, 0)
    await store.release('a', never, null)
    expect(await store.claimDue('b', 9, [])).toEqual([{ ...soon, epoch: 2 }])
    expect(await claimed(store.claim('never', 'b'))).toEqual({ ...never, epoch: 2 })
  },

  'what is removed by its owner is gone with its tokens and documents': async (store) => {
    const claim = await founded(store, 'x')
    await store.commit('a', [commit(claim, { put: [document('k')] })])
    await store.remove('b', claim)
    await store.remove('a', { id: 'x', epoch: 9 })
    expect(await store.tenants()).toEqual(['x'])
    await store.remove('a', claim)
    expect([await store.tenants(), await store.tenantOf('digest-x'), await read(store, 'x')]).toEqual([
      [],
      null,
      [],
    ])
    expect(await store.claim('x', 'a')).toEqual({ is: 'missing' })
    expect(await founded(store, 'x')).toMatchObject({ epoch: 1 })
    expect(await read(store, 'x')).toEqual([])
  },

  'what nobody runs is let go for its age, and nothing else': async (store) => {
    const names = ['owned', 'released', 'left', ...Array.from({ length: 45 }, (_, at) => `old${at}`)]
    for (const name of names) {
      const owner = name === 'owned' ? 'a' : 'b'
      const claim = await founded(store, name, owner)
      if (name === 'released') await store.release(owner, claim, null)
    }
    expect(await store.prune(0)).toEqual({ tenants: 1 })
    await store.leave('b')
    expect(await store.prune(long)).toEqual({ tenants: 0 })
    expect(await store.prune(0)).toEqual({ tenants: 46 })
    expect(await store.tenants()).toEqual(['owned'])
  },

  'any text comes back as it was given': async (store) => {
    const hostile = [
      '',
      '\u0000',
      'a\u0000b',
      '\ud800',
      '\udfff',
      '\\',
      '"',
      '\n',
      "');--",
      '😀',
      'é',
      'e\u0301',
      '%_',
    ]
    const texts = [
      ...hostile,
      'x'.repeat(5_000),
      '\u0000'.repeat(5_000),
      `"${'y'.repeat(501)}`,
      '{"a":1}',
      'NULL',
    ]
    const found = { id: 'x', seed: hostile.join('|'), options: JSON.stringify(hostile) }
    await store.found(found, [], 'a')
    const put = texts.map((text, place) => document(text, { text, long: text.repeat(3) }, place))
    expect(await store.commit('a', [commit({ id: 'x', epoch: 1 }, { put })])).toEqual([])
    expect(await read(store, 'x')).toEqual(put)
    expect(await claimed(store.claim('x', 'a'))).toEqual({ ...found, epoch: 2 })
    const removed = texts.map((id) => ({ kind: 'key', id }))
    await store.commit('a', [commit({ id: 'x', epoch: 2 }, { removed })])
    expect(await read(store, 'x')).toEqual([])
  },

  'a few thousand documents, and one of a megabyte, are read back': async (store) => {
    const claim = await founded(store, 'x')
    const put = Array.from({ length: 3_000 }, (_, at) => document(`k${at}`, at, 3_000 - at))
    const large = document('large', 'ä'.repeat(500_000), 0)
    await store.commit('a', [commit(claim, { put: [...put, large] })])
    const documents = await read(store, 'x')
    expect(documents.length).toBe(3_001)
    expect(documents.every(({ place }, at) => place === at)).toBe(true)
    expect(documents[0]).toEqual(large)
    for await (const first of store.documents('x')) {
      expect(first).toEqual(large)
      break
    }
    expect((await read(store, 'x')).length).toBe(3_001)
  },
}

export function storeSuite(open: OpenEmpty): void {
  test.for(Object.entries(intents))('%s', async ([, run]) => {
    expect.hasAssertions()
    const { store, beside = store, end } = await open()
    try {
      await run(store, beside)
    } finally {
      await end()
    }
  })
}
