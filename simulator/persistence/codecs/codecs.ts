/** All kinds of what is kept of a tenant, in the order in which they are put back. */
import type { EntryKind } from '../../tenant/changes.ts'
import { accountCodec, accountDataCodec } from './account-data.ts'
import { conversationCodec, offerCodec, historyCodec, webhookCodec } from './plain-data.ts'
import { deliveryCodec, endpointCodec } from './deliveries.ts'
import { keyCodec, olderKeyCodec } from './keys.ts'
import { settingsCodec } from './settings.ts'
import type { Codec } from './codec.ts'
import { approvalCodec, runCodec, taskCodec } from './work.ts'

export const codecs: Readonly<Record<EntryKind, Codec>> = {
  settings: settingsCodec,
  account: accountCodec,
  data: accountDataCodec,
  conversation: conversationCodec,
  offer: offerCodec,
  key: keyCodec,
  'older-key': olderKeyCodec,
  history: historyCodec,
  run: runCodec,
  approval: approvalCodec,
  task: taskCodec,
  webhook: webhookCodec,
  endpoint: endpointCodec,
  delivery: deliveryCodec,
}
