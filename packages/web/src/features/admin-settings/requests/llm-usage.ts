import { getLlmUsage, type LlmUsageGroup } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** Usage of the language model on a span of days in UTC. Both ends are inclusive. */
export const llmUsage = (by: LlmUsageGroup, { from, to }: { readonly from: string; readonly to: string }) =>
  read(getLlmUsage, { query: { by, from, to } });
