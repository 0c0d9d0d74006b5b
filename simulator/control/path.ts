/** Where a tenant stands in the control plane, below the base address. */
export const controlPath = ({ id }: { readonly id: string }): string => `/_sim/v1/tenants/${id}`
