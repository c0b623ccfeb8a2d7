import { getLlmStatus } from '@svc/contract';
import { read } from '../lib/server-state.ts';

/** Whether there is a model that answers. */
export const llmStatus = read(getLlmStatus, {});
