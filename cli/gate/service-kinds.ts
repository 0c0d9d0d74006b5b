/** Kinds of targets that a release is about. */
export const serviceKinds = ['staging', 'production'] as const
export type ServiceKind = (typeof serviceKinds)[number]

/** Whether the target is a service, and of the kind that was asked for, if one was. */
export function isDemandedKind(target: { kind: string }, { kind }: { kind?: ServiceKind }): boolean {
  return serviceKinds.some((one) => one === target.kind && (kind === undefined || one === kind))
}
