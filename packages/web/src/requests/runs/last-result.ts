import { getLastResult, type QueryOf } from '@svc/contract';
import { read } from '../../lib/server-state.ts';

/** Newest rows of a query that a run stored, optionally of one subscription or one task. */
export const lastResult = (id: number, of: QueryOf<typeof getLastResult> = {}) =>
  read(getLastResult, { params: { id }, query: of });
