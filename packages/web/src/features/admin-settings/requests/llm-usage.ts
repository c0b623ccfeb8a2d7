import { getLlmUsage, type LlmUsageGroup } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** What the language model was used for on some days of UTC, both ends counted. */
export const llmUsage = (by: LlmUsageGroup, { from, to }: { readonly from: string; readonly to: string }) =>
  read(getLlmUsage, { query: { by, from, to } });
