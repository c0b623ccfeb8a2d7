import { getLlmUsage, type LlmUsageGroup } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** What the language model was used for in the last days. */
export const llmUsage = (by: LlmUsageGroup, days: number) => read(getLlmUsage, { query: { by, days } });
