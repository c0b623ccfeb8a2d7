import { type BodyOf, previewQuery, type QueryPreview } from '@svc/contract';
import { call } from '../../../lib/call.ts';
import type { RunPage } from './run-page.ts';

/** Runs a saved query and answers one page of its result. Aborting stops the statement at the data source. */
export const runSaved = (
  id: number,
  body: BodyOf<typeof previewQuery>,
  page: RunPage,
  signal: AbortSignal,
): Promise<QueryPreview> => call(previewQuery, { params: { id }, body, query: page }, { signal });
