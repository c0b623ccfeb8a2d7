import type { Endpoint } from '@svc/contract';
import {
  createKeyInspection,
  type KeyInspection,
  keyInspectionEndpoints,
  keyInspectionRoutes,
  type LastUsed,
} from '../../domains/api-keys/index.ts';
import { reachableProjects } from '../../domains/projects/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';

/**
 * Composes the inspection of keys: their use, and their permissions on the routes. It needs the routes of all other
 * modules.
 */
export function composeKeyInspection(
  infra: Infrastructure,
  deps: { readonly lastUsed: LastUsed; readonly endpointsOfOthers: readonly Endpoint[] },
): Module & Pick<KeyInspection, 'sweep'> {
  const inspection = createKeyInspection({
    database: infra.database,
    clock: infra.clock,
    lastUsed: deps.lastUsed,
    rules: infra.settings.keys,
    reachableProjects,
    endpoints: [...deps.endpointsOfOthers, ...keyInspectionEndpoints],
  });
  return { routes: keyInspectionRoutes(inspection), sweep: inspection.sweep };
}
