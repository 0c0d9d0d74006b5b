/** Which handler answers a method and a path. */
import findMyWay from 'find-my-way'
import { remembered } from './tenant/book.ts'
import type { TenantState } from './rules/tenant-state.ts'
import type { Call, Reply } from './edge/reply.ts'

/** A route that belongs to no tenant, such as the health check or the control plane. */
export interface ServerRoute {
  method: string
  /** With parameters as `:name`. */
  path: string
  handle(call: Call): Reply | Promise<Reply>
}

/** A route of the service itself: it answers within the tenant that the API key chooses. */
export interface ServiceRoute {
  method: string
  path: string
  handle(state: TenantState, call: Call): Reply | Promise<Reply>
  /** Where it says no, the route is not there. */
  served?: (state: TenantState) => boolean
}

export type RouteMatch =
  | { readonly is: 'route'; readonly route: ServerRoute; readonly params: Call['params'] }
  | { readonly is: 'service'; readonly route: ServiceRoute; readonly params: Call['params'] }
  /** The path exists, with these methods only. */
  | { readonly is: 'other-method'; readonly allow: readonly string[] }
  | { readonly is: 'nothing' }

type Stored = Pick<Extract<RouteMatch, { is: 'route' | 'service' }>, 'is' | 'route'>

type Tree = Pick<ReturnType<typeof findMyWay>, 'find'>

function treeOf(routes: readonly { method: string; path: string }[], is: Stored['is']): Tree {
  const tree = findMyWay({ maxParamLength: 500 })
  for (const route of routes)
    tree.on(route.method as findMyWay.HTTPMethod, route.path, () => undefined, { is, route })
  return tree
}

/** Every simulator of a process has the same, and compiling them is most of what a start takes. */
const serviceTrees = new WeakMap<readonly ServiceRoute[], Tree>()

export type Router = ReturnType<typeof createRouter>

/** The paths of `routes` and of `services` have nothing in common. */
export function createRouter(routes: readonly ServerRoute[], services: readonly ServiceRoute[]) {
  const trees = [
    remembered(serviceTrees, services, () => treeOf(services, 'service')),
    treeOf(routes, 'route'),
  ]
  const methods = [...new Set([...routes, ...services].map(({ method }) => method))].sort()

  const look = (method: string, path: string, state: TenantState) => {
    for (const tree of trees) {
      const found = tree.find(method as findMyWay.HTTPMethod, path)
      const { route } = (found?.store ?? {}) as Partial<Stored>
      const served = route && 'served' in route ? route.served : undefined
      if (route && (served?.(state) ?? true)) return found
    }
    return null
  }
  return {
    /** `state`: of the tenant that answers, for routes that are not there in every tenant. */
    find: (method: string, path: string, state: TenantState): RouteMatch => {
      const found = look(method, path, state)
      if (found) {
        const { is, route } = found.store as Stored
        return { is, route, params: found.params } as RouteMatch
      }
      const allow = methods.filter((other) => other !== method && look(other, path, state))
      return allow.length > 0 ? { is: 'other-method', allow } : { is: 'nothing' }
    },
  }
}

/** Where a tenant stands in the control plane, below the base address. */
export const controlPath = ({ id }: { readonly id: string }): string => `/_sim/v1/tenants/${id}`
