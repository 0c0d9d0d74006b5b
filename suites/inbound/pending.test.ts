import { afterEach, describe, expect, it } from 'vitest'
import { closeAll, dial, inbox, post, send } from './socket.testkit.ts'

afterEach(closeAll)

describe('what is answered', () => {
  it('follows the script, repeats its last answer, and begins anew with a new one', async () => {
    const to = await inbox()
    const place = to.open('/')
    place.script({ status: 500 }, { status: 301, headers: [['Location', '/']] }, { status: 418, body: 'tea' })
    const statuses: number[] = []
    const ask = async (): Promise<void> => {
      const answer = await fetch(`http://127.0.0.1:${to.port}/`, { redirect: 'manual' })
      statuses.push(answer.status)
    }
    for (let i = 0; i < 4; i += 1) await ask()
    place.script({ status: 204 })
    await ask()
    place.script()
    await ask()

    expect(statuses).toEqual([500, 301, 418, 418, 204, 200])
    expect(await place.arrivals[2]?.done).toMatchObject({
      status: 418,
      headers: [['Content-Length', '3']],
      body: 'tea',
      end: 'answered',
    })
  })

  it('holds until it is released, one by its number or all', async () => {
    const to = await inbox()
    const place = to.open('/')
    place.script('hold')
    const answers = [1, 2, 3].map(async (count) => {
      const answer = send(to, '/')
      await place.arrived(count)
      return (await answer).status
    })
    await place.arrived(3)
    place.release({ status: 202 }, 2)
    const second = await place.arrivals[1]?.done
    place.release()

    expect(second?.status).toBe(202)
    expect((await Promise.all(answers)).toSorted((a, b) => a - b)).toEqual([200, 200, 202])
  })

  it('resets the connection of a close, without a byte', async () => {
    const to = await inbox()
    const place = to.open('/')
    place.script('close')
    const line = dial(to)
    line.socket.write(post('/'))

    expect([await line.ended, line.received()]).toEqual(['reset', ''])
    expect(await place.arrivals[0]?.done).toMatchObject({ status: null, end: 'closed' })
  })

  it('drips a body without an end after the status, until the sender leaves', async () => {
    const to = await inbox()
    const place = to.open('/')
    place.script('drip')
    const line = dial(to)
    line.socket.write(post('/'))
    await line.hears('1\r\n \r\n')
    line.socket.destroy()

    expect(line.received()).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(await place.arrivals[0]?.done).toMatchObject({ status: 200, end: 'gone' })
  })
})
