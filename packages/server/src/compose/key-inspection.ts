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

/**
 * Composes the inspection of keys: their use, and their permissions on the routes. It needs the routes of all other
 * modules.
 */
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
