import { getLlmStatus } from '@svc/contract';
import { read } from '../lib/server-state.ts';

/** State of the language model: whether one is available. */
export const llmStatus = read(getLlmStatus, {});
