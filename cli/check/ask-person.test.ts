import { expect, test } from 'vitest'
import { personAt } from './target.ts'

test('prints the state and the instruction, and accepts that it is not possible', async () => {
  const asked: string[] = []
  const answers = ['', 'no']
  const question = (text: string) => (asked.push(text), Promise.resolve(answers.shift() ?? ''))
  const ask = personAt({ err: (text) => void asked.push(text), question })
  const wish = {
    state: 'chat.paused',
    is: 'enter',
    text: 'Pause it in the dashboard.',
    timeoutSeconds: 9,
  } as const
  const said = [
    await ask?.(wish, new AbortController().signal),
    await ask?.(wish, new AbortController().signal),
  ]
  expect(said).toEqual([true, false])
  expect(asked.join('')).toContain(
    'Needed for chat.paused\n  Pause it in the dashboard.\n  Press Enter when done',
  )
})

test('where nobody is there, nobody is asked', () => {
  expect(personAt({ err: () => undefined, question: null })).toBeUndefined()
})
