export { type CallCancellation, createCallCancellation } from './cancellation.ts';
export { challengeOf } from './challenge.ts';
export type { McpFacts } from './facts.ts';
export { createFastPath, type FastPath } from './fast-path/fast-path.ts';
export { createOrdinaryCalls } from './fast-path/ordinary-calls.ts';
export { createOriginCheck } from './origin-check.ts';
export {
  createServing,
  type ServerFactory,
  type Serving,
  type ServingOverride,
} from './serving.ts';
