import { type BodyOf, previewQuery, type QueryPreview } from '@svc/contract';
import { call } from '../../../lib/call.ts';

/** Runs a saved query and answers one page of its result. Aborting stops the statement at the data source. */
export const runSaved = (
  id: number,
  body: BodyOf<typeof previewQuery>,
  page: { readonly page: string; readonly pageSize: string },
  signal: AbortSignal,
): Promise<QueryPreview> => call(previewQuery, { params: { id }, body, query: page }, { signal });
