export {
  asUnconnected,
  awaitsAnswer,
  type BackendKey,
  backendKeyOf,
  destroySession,
  dropDriverTimeout,
  followErrors,
  followReady,
  followServerVersion,
  timeoutOf,
  watchBytes,
  withoutDriverTimeout,
} from './client.ts';
export { copyIn, copyInto, takesCopyIn } from './copy.ts';
export { type CopyInStream, copyOut, openCopyIn } from './copy-stream.ts';
export {
  describeText,
  exchange,
  type Part,
  prepareRead,
  readRows,
  runBound,
  runTexts,
} from './exchange.ts';
export { isNamed, NamedStatement, runNamed } from './named-statement.ts';
export { runPipeline } from './pipeline.ts';
export { type TimedQuery, timedQuery } from './timed-query.ts';
