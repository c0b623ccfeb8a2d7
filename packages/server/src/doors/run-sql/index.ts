export {
  createRunSql,
  type DataSourceTarget,
  type RunSql,
  type RunSqlOptions,
  type TestedConnection,
} from './create-run-sql.ts';
export type { DryRunRequest, DryRunResult } from './dry-run.ts';
export { fingerprintBytes, routeFingerprint } from './fingerprints.ts';
export { type MaskingRules, parsePattern, personalNames } from './masking/index.ts';
export type { ParameterDeclaration, RunParameters } from './parameters.ts';
export { bindParameters } from './parameters.ts';
export { checkFinalQuery } from './prepare.ts';
export { refusingOverHttp } from './problem.ts';
export {
  type RunSqlCode,
  RunSqlRefusal,
  type StepPreview,
  type StepResult,
  type StepUsage,
} from './refusal.ts';
export type {
  FingerprintRequest,
  RowFingerprints,
  RunBatch,
  RunColumn,
  RunFinished,
  RunLimits,
  RunRequest,
  RunResult,
  RunStep,
} from './request.ts';
export type { RunClock } from './run-clock.ts';
export type { RunSlotLimits } from './run-slots.ts';
export { tabularColumns } from './tabular-columns.ts';
