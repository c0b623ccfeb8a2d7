import { type BodyOf, previewDraft, type QueryPreview } from '@svc/contract';
import { call } from '../../../lib/call.ts';
import type { RunPage } from './run-page.ts';

/** Runs a draft and answers one page of its result. Aborting stops the statement at the data source. */
export const runDraft = (
  body: BodyOf<typeof previewDraft>,
  page: RunPage,
  signal: AbortSignal,
): Promise<QueryPreview> => call(previewDraft, { body, query: page }, { signal });
