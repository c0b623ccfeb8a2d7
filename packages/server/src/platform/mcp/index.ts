export { type CallCancellation, createCallCancellation } from './cancellation.ts';
export { challengeOf } from './challenge.ts';
export { createOriginCheck } from './origin-check.ts';
export {
  createServing,
  type McpFacts,
  type ServerFactory,
  type Serving,
  type ServingOverride,
} from './serving.ts';
