export {
  commentForReaders,
  commentOf,
  type RecipientNote,
  type RunReason,
  type StatementError,
  storedMessageLengthMax,
} from './comment.ts';
export type { RunTotals } from './counts.ts';
export { createFoldJobs, failed, foldRunCounts, good } from './fold.ts';
export { findReplacedChain, type ReplacedLink, replacedChain } from './replacements.ts';
export { historyRoutes } from './routes.ts';
export { createHistoryService, type HistoryService } from './service.ts';
export { silenceOf } from './silence.ts';
export { findRun } from './store.ts';
export { type RunTimings, timingsOf } from './timings.ts';
export { seesEveryRun, visibleRuns } from './visibility.ts';
