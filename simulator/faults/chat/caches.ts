/** Caches that know too little of whom they answer, or keep for too long what they know. */
import { fault, type Fault } from '../../modification/modification.ts'

const tenMinutesMs = 600_000

export const cacheFaults = {
  'uncertain-key-freed': fault({
    title: 'A key whose outcome was uncertain is free again after ten minutes.',
    breaks: ['IDEM-UNCERTAIN-STAYS', 'IDEM-REPLAY-CONVERSATION'],
    rules: (was) => {
      const uncertain = new Set<string>()
      return {
        book: (state, call) => {
          const book = was.book(state, call)
          const find: typeof book.find = (id) => {
            const record = book.find(id)
            if (record?.state.is === 'uncertain') uncertain.add(id)
            const isOld = record && state.clock.now() - record.claimedAt > tenMinutesMs
            return isOld && uncertain.has(id) ? undefined : record
          }
          return { ...book, find }
        },
      }
    },
  }),
  'superseded-button-returns': fault({
    title: 'Ten minutes after a superseded button was refused it can be pressed.',
    breaks: ['FLOW-STALE-STATUS'],
    rules: (was, state) => {
      let since = Infinity
      return {
        buttonState(known) {
          if (known !== 'superseded') return was.buttonState(known)
          since = Math.min(since, state.clock.now())
          return state.clock.now() - since > tenMinutesMs ? 'current' : was.buttonState(known)
        },
      }
    },
  }),
  'headers-of-the-newest': fault({
    title: 'All webhooks of an agent carry the custom headers of the one made last.',
    breaks: ['DLV-CUSTOM-HEADERS'],
    rules: (was, { webhooks }) => ({
      deliveryHeaders: (delivery, ...rest) => {
        const { webhook } = delivery
        const newest = [...webhooks.values()].findLast(({ agent }) => agent === webhook.agent) ?? webhook
        return was.deliveryHeaders(
          { ...delivery, webhook: { ...webhook, customHeaders: newest.customHeaders } },
          ...rest,
        )
      },
    }),
  }),
} as const satisfies Record<string, Fault>
