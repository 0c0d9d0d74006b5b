/** Caches that know too little of whom they answer, or keep for too long what they know. */
import { fault, type Fault } from '../../modification/modification.ts'

export const cacheFaults = {
  'task-shown-once-read': fault({
    title: 'A task that its owner has read is shown to whoever asks for it next.',
    breaks: ['SCOPE-FOREIGN'],
    rules: (was) => {
      const cached = new Set<string>()
      return {
        findTask: (id, apiKey, call, state) => {
          const task = was.findTask(id, apiKey, call, state)
          if (task) cached.add(id)
          return task ?? (cached.has(id) ? (state.operations.tasks.get(id) ?? null) : null)
        },
      }
    },
  }),
  'approval-shown-once-read': fault({
    title: 'An approval that its owner has read is shown to whoever asks for it next.',
    breaks: ['SCOPE-FOREIGN'],
    rules: (was) => {
      const cached = new Set<string>()
      return {
        findApproval: (id, apiKey, call, state) => {
          const approval = was.findApproval(id, apiKey, call, state)
          if (approval) cached.add(id)
          return approval ?? (cached.has(id) ? (state.operations.approvals.get(id) ?? null) : null)
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
