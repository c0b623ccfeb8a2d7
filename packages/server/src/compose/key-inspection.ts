import type { Endpoint } from '@svc/contract';
import {
  createKeyInspection,
  type KeyInspection,
  keyInspectionEndpoints,
  keyInspectionRoutes,
  type LastUsed,
} from '../domains/api-keys/index.ts';
import { reachableProjects } from '../domains/projects/index.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';

/** What keys were used for, and what they may do on the routes that the service has: it comes after all others. */
export function composeKeyInspection(
  ground: Ground,
  deps: { readonly lastUsed: LastUsed; readonly endpointsOfOthers: readonly Endpoint[] },
): Part & Pick<KeyInspection, 'sweep'> {
  const inspection = createKeyInspection({
    database: ground.database,
    clock: ground.clock,
    lastUsed: deps.lastUsed,
    rules: ground.settings.keys,
    reachableProjects,
    endpoints: [...deps.endpointsOfOthers, ...keyInspectionEndpoints],
  });
  return { routes: keyInspectionRoutes(inspection), sweep: inspection.sweep };
}
