/** Snapshots of a tenant in another process. */
import type { components } from '../../spec/types/control.ts'
import { dataOf, type ControlApi } from './api.ts'

export type SnapshotDocument = components['schemas']['Snapshot']

export function snapshotsOf(api: ControlApi, tenantId: string) {
  const path = { tenantId }
  const named = (name: string) => ({ params: { path: { tenantId, name } } })
  return {
    /** The state of the tenant; given a name, the snapshot that is saved under it. */
    download: (name?: string): Promise<SnapshotDocument> =>
      name === undefined
        ? dataOf(api.GET('/_sim/v1/tenants/{tenantId}/snapshot', { params: { path } }))
        : dataOf(api.GET('/_sim/v1/tenants/{tenantId}/snapshots/{name}', named(name))),
    list: async () =>
      (await dataOf(api.GET('/_sim/v1/tenants/{tenantId}/snapshots', { params: { path } }))).snapshots,
    /** In the memory of the simulator; replaces a snapshot of the same name. */
    save: (name: string) => dataOf(api.PUT('/_sim/v1/tenants/{tenantId}/snapshots/{name}', named(name))),
    /** The tenant returns to the state of a saved snapshot, or of a document of its own. */
    restore: async (snapshot: string | SnapshotDocument): Promise<void> => {
      if (typeof snapshot === 'string')
        await api.POST('/_sim/v1/tenants/{tenantId}/snapshots/{name}/restore', named(snapshot))
      else await api.PUT('/_sim/v1/tenants/{tenantId}/snapshot', { params: { path }, body: snapshot })
    },
    delete: async (name: string): Promise<void> => {
      await api.DELETE('/_sim/v1/tenants/{tenantId}/snapshots/{name}', named(name))
    },
  }
}
