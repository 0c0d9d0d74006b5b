/**
 * Variants that share a run, because they replace different things.
 */
import { rulesOf } from '../../simulator/base-rules.ts'
import { variants, type VariantId } from '../../simulator/index.ts'
import type { Variant } from '../../simulator/modification/modification.ts'
import type { TenantState } from '../../simulator/rules/tenant-state.ts'
import { answerVariants } from '../../simulator/variants/answer.ts'
import { askingVariants } from '../../simulator/variants/asking.ts'
import { billingAndUploadVariants } from '../../simulator/variants/billing-and-uploads.ts'
import { chatVariants, workflowVariants } from '../../simulator/variants/chat.ts'
import { effectVariants } from '../../simulator/variants/effects.ts'
import { followUpVariants } from '../../simulator/variants/follow-up.ts'
import { olderVariants } from '../../simulator/faults/older.ts'
import { operationVariants } from '../../simulator/variants/operations.ts'
import { streamVariants } from '../../simulator/variants/stream.ts'
import { defaultInterpretations } from '../../spec/index.ts'
import { contractIdentifiers } from '../../spec/identifiers.ts'

const ofChat = [answerVariants, chatVariants, streamVariants, workflowVariants, olderVariants]
const ofOperations = [
  askingVariants,
  billingAndUploadVariants,
  effectVariants,
  followUpVariants,
  operationVariants,
]

/** Hooks of different parts change different replies. */
function partOf(id: VariantId): string {
  const isIn = (tables: readonly object[]): boolean => tables.some((table) => Object.hasOwn(table, id))
  return isIn(ofChat) ? 'chat' : isIn(ofOperations) ? 'operations' : 'webhooks'
}

const hookNames = ['reply', 'events', 'delivery', 'bytes'] as const
type HookName = (typeof hookNames)[number]
const noState = {} as TenantState
const plainRules = rulesOf(defaultInterpretations, contractIdentifiers)

/**
 * What the hooks on replies and events change of them, for variants of which none hides another. One that is not listed
 * here changes anything of its part.
 */
const changedBy: Readonly<Record<string, readonly VariantId[]>> = {
  'end of the connection': ['connection-closed'],
  'further headers': ['further-headers'],
  'replay header': ['fresh-denies-replay', 'fresh-denies-replay-in-other-words'],
  'conversation id': ['conversations-in-capitals'],
  balance: ['filled-up-meanwhile'],
  'members of errors': ['talkative-errors'],
  'customer message': ['customer-message-always', 'customer-message-null'],
  presentation: [
    'presentation-null',
    'presentation-of-suggestions',
    'media-signed-anew',
    'media-expires-anew',
    'menu-stays',
    'one-press-ends',
    'press-replay-stale',
  ],
  'status of a long header': ['long-header-as-431'],
  tokens: ['no-tokens', 'token-per-character'],
  'other events': ['unknown-events'],
  'members of events': ['events-with-more-members'],
  'end of a failed stream': ['done-after-error'],
  'times of older conversations': ['older-created-coarser-later'],
  'list of webhooks': [
    'webhooks-newest-first',
    'webhooks-in-pages-of-ten',
    'webhooks-listed-late',
    'updates-at-once-last-wins',
  ],
  'further members of a webhook': ['webhooks-with-more-members'],
  'listed secret': ['secret-key-null'],
  'listed headers': ['header-values-masked', 'header-names-lowered'],
  'listed endpoint': ['endpoint-normalised'],
  'listed events': ['events-sorted'],
  'listed time': ['created-at-with-offset'],
  'listed description': ['undescribed-as-null'],
  'requests without a session': [
    'management-hidden',
    'management-refused-with-400',
    'management-leads-to-sign-in',
  ],
  'second removal': ['removed-twice-is-conflict'],
  'events of other agents': ['agents-hand-on'],
  'records of tasks and approvals': ['task-and-approval-with-more'],
  'ids of tasks and approvals': ['task-and-approval-oddly-named'],
  'members of receipts': ['receipts-with-more'],
  'status of receipts': ['receipts-of-any-status'],
  'refused operations': ['operations-refused-as-not-found'],
  'invalid input': ['invalid-input-unprocessable'],
  discovery: [
    'schemas-by-reference',
    'schemas-nearly-empty',
    'schemas-with-conditions',
    'discovery-in-pages',
  ],
  subscription: ['billing-with-long-numbers', 'plan-in-snake-case', 'no-plan-without-subscription'],
  invoices: ['invoices-beside-links'],
  'ids without a key': ['ids-looked-up-first'],
  'webhooks of any plan': ['webhook-list-on-any-plan'],
  'task of a receipt': ['one-task-for-all'],
  'finished uploads': ['lapsed-upload-gone', 'one-import-at-a-time', 'one-document-at-a-time'],
}

/** What a hook of a variant changes. */
function changesOf(id: VariantId, hook: HookName): readonly string[] {
  const part = partOf(id)
  const isListed = (name: string): boolean => changedBy[name]?.includes(id) === true
  const names = Object.keys(changedBy).filter((name) => changedBy[name]?.some((one) => partOf(one) === part))
  const listed = names.filter(isListed)
  return [...(listed.length > 0 ? listed : [part, ...names])].map((name) => `${hook}: ${name}`)
}

/** Those of a variant with a memory, too. */
function hooksOf(variant: Variant): readonly HookName[] {
  try {
    const hooks = { ...variant, ...variant.remember?.(noState) }
    return hookNames.filter((hook) => hook in hooks)
  } catch {
    // It needs a tenant to know.
    return hookNames
  }
}

/** The rules, interpretations, settings and hooks that a variant replaces. */
function replacedBy(id: VariantId): readonly string[] {
  const variant: Variant = variants[id]
  return [
    ...Object.keys(variant.rules?.({ ...plainRules }, noState) ?? {}),
    ...Object.keys(variant.interpretations ?? {}),
    ...Object.keys(variant.wire ?? {}),
    ...hooksOf(variant).flatMap((hook) => changesOf(id, hook)),
  ]
}

/** Leaves most checks without a verdict, so it would hide them from any other. */
const disruptive: VariantId = 'connections-lost'

/** In larger groups, one variant hides more from the others. */
const fewestGroups = 10

/** Groups of variants that share one run, of even size. Two that replace the same thing are in different groups. */
export function variantGroups(): readonly (readonly VariantId[])[] {
  const ids = (Object.keys(variants) as VariantId[]).filter((id) => id !== disruptive)
  const replacing = Object.groupBy(ids.flatMap(replacedBy), (name) => name)
  const rivals = (id: VariantId): number =>
    Math.max(0, ...replacedBy(id).map((name) => replacing[name]?.length ?? 0))
  const emptyGroup = (): { ids: VariantId[]; replaced: Set<string> } => ({ ids: [], replaced: new Set() })
  const all = Array.from({ length: fewestGroups }, emptyGroup)
  for (const id of ids.toSorted((one, other) => rivals(other) - rivals(one))) {
    const replaced = new Set(replacedBy(id))
    const fitting = all.filter((one) => one.replaced.isDisjointFrom(replaced))
    let group = fitting.toSorted((one, other) => one.ids.length - other.ids.length)[0]
    if (!group) all.push((group = emptyGroup()))
    group.ids.push(id)
    for (const name of replaced) group.replaced.add(name)
  }
  return [[disruptive], ...all.map((group) => group.ids)]
}
