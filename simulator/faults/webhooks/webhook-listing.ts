/** Lists of webhooks that leave something out, say it wrongly or give secrets away. */
import { fault, type Fault } from '../../modification/modification.ts'
import { memberText } from '../../modification/changes.ts'
import { onList, onListed, onManaged, webhooksIn } from '../../modification/webhook-changes.ts'

const createdAt = (webhook: { readonly [name: string]: unknown }): Date =>
  new Date(String(webhook['created_at']))

const hourMs = 3_600_000

export const webhookListingFaults = {
  'webhooks-as-bare-list': fault({
    title: 'The list of webhooks is no object.',
    breaks: ['HOOK-LIST'],
    ...onManaged('webhook-list', webhooksIn),
  }),
  'webhooks-of-all-agents': fault({
    title: 'The list has the webhooks of every agent.',
    breaks: ['HOOK-LIST-OWN'],
    ...onList((_webhooks, state) =>
      [...state.webhooks.values()].map((one) => state.rules.listed(one, state)),
    ),
  }),
  'listed-description-cut': fault({
    title: 'The list cuts descriptions at ten characters.',
    breaks: ['HOOK-LIST-AS-SENT'],
    ...onListed((webhook) => ({
      ...webhook,
      description: memberText(webhook['description']).slice(0, 10),
    })),
  }),
  'created-in-local-time': fault({
    title: '`created_at` is the time of a place hours ahead, said to be UTC.',
    breaks: ['HOOK-LIST-CREATED-AT'],
    ...onListed((webhook) => ({
      ...webhook,
      created_at: new Date(createdAt(webhook).getTime() + 5.5 * hourMs).toISOString(),
    })),
  }),
  'active-as-text': fault({
    title: '`is_active` is listed as a text.',
    breaks: ['HOOK-LIST-ACTIVE'],
    ...onListed((webhook) => ({ ...webhook, is_active: String(webhook['is_active'] === true) })),
  }),
  'created-at-as-number': fault({
    title: '`created_at` is listed in seconds since 1970.',
    breaks: ['HOOK-LIST-CREATED-AT'],
    ...onListed((webhook) => ({ ...webhook, created_at: Math.trunc(createdAt(webhook).getTime() / 1000) })),
  }),
  'secret-in-list': fault({
    title: 'The list shows the secrets.',
    breaks: ['HOOK-LIST-NO-SECRET'],
    ...onListed((webhook, secret) => ({ ...webhook, secret_key: secret })),
  }),
  'secret-in-list-elsewhere': fault({
    title: 'The list shows the secrets within a member for settings.',
    breaks: ['HOOK-LIST-NO-SECRET'],
    ...onListed((webhook, secret) => ({ ...webhook, signing: { algorithm: 'sha256', key: secret } })),
  }),
  'masked-secret-key': fault({
    title: 'The list has a `secret_key` of stars beside the preview.',
    breaks: ['HOOK-LIST-NO-SECRET'],
    ...onListed((webhook) => ({ ...webhook, secret_key: '********' })),
  }),
  'preview-whole': fault({
    title: 'The preview of a secret is the secret.',
    breaks: ['HOOK-LIST-NO-SECRET', 'HOOK-LIST-PREVIEW', 'HOOK-UPDATE-NO-SECRET'],
    rules: () => ({ secretPreview: (secret) => secret }),
  }),
} as const satisfies Record<string, Fault>
