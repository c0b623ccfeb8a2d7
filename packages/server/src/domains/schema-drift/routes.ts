import * as contract from '@svc/contract';
import { type Route, readRoute } from '../../platform/http/index.ts';
import type { DriftService } from './service.ts';

export const schemaChangeRoutes = (drift: DriftService): Route[] => [
  readRoute(contract.listSchemaChanges, ({ caller, params, query }) => drift.list(caller, params.id, query)),
];
