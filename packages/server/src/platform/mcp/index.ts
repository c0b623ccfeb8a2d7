export { type CallCancellation, createCallCancellation } from './cancellation.ts';
export { challengeOf } from './challenge.ts';
export { createOriginCheck } from './origin-check.ts';
export { createPlainCalls, type PlainCall, type PlainCalls } from './plain-call.ts';
export {
  createServing,
  type McpFacts,
  type PlainServing,
  type ServerFactory,
  type Serving,
  type ServingOverride,
} from './serving.ts';
