/** Webhooks that somebody manages who may not. */
import type { Call } from '../../edge/reply.ts'
import { managementRefusalReply, withoutSession } from '../../webhooks/management/management.ts'
import { projectKeyOf } from '../../webhooks/management/sessions.ts'
import { fault, type Fault } from '../../modification/modification.ts'
import {
  isWebhookCreation,
  isLog,
  isRead,
  isRemoval,
  isWebhookTest,
  keyAccepted,
} from '../../modification/webhook-changes.ts'

/** Anybody counts as a user, where `where` says so, unless there is a project key. */
const nobodyAccepted =
  (where: (call: Call) => boolean): NonNullable<Fault['rules']> =>
  (rules) => ({
    sessionOf: (call, state) => {
      const session = rules.sessionOf(call, state)
      if (session || !where(call) || projectKeyOf(call, state)) return session
      return [...state.sessions.values()][0] ?? null
    },
  })

/** Looks who calls only when the work is done: the answer is a refusal. */
const checkedTooLate = (where: (call: Call) => boolean): Pick<Fault, 'rules' | 'reply'> => ({
  rules: keyAccepted(where),
  reply: (reply, call, state) =>
    reply.about.operation.startsWith('webhook-') && where(call) && projectKeyOf(call, state)
      ? managementRefusalReply(state, withoutSession(state, call), reply.about)
      : reply,
})

export const webhookManagementFaults = {
  'webhooks-read-without-session': fault({
    title: 'Lists and logs of webhooks are there for everybody.',
    breaks: ['HOOK-NO-SESSION'],
    rules: nobodyAccepted(isRead),
  }),
  'key-refused-after-creation': fault({
    title: 'A project key is refused a creation after the webhook was made.',
    breaks: ['HOOK-KEY-CREATE'],
    ...checkedTooLate(isWebhookCreation),
  }),
  'project-key-removes-webhooks': fault({
    title: 'A project key may remove webhooks.',
    breaks: ['HOOK-KEY-EDIT', 'HOOK-NO-SESSION'],
    rules: keyAccepted(isRemoval),
  }),
  'project-key-lists-webhooks': fault({
    title: 'A project key may list webhooks.',
    breaks: ['HOOK-KEY-READ'],
    rules: keyAccepted((call) => isRead(call) && !isLog(call)),
  }),
  'project-key-tests-webhooks': fault({
    title: 'A project key may send samples.',
    breaks: ['HOOK-KEY-READ'],
    rules: keyAccepted(isWebhookTest),
  }),
} as const satisfies Record<string, Fault>
