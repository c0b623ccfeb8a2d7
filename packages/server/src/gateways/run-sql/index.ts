export {
  createRunSql,
  type DataSourceTarget,
  type RunSql,
  type RunSqlOptions,
  type TestedConnection,
} from './create-run-sql.ts';
export type { DryRunRequest, DryRunResult } from './dry-run.ts';
export { type MaskingRules, parsePattern, personalNames } from './masking/index.ts';
export type { ParameterDeclaration, RunParameters } from './parameters/parameters.ts';
export { bindParameters } from './parameters/parameters.ts';
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
export { fingerprintBytes, routeFingerprint } from './result/fingerprints.ts';
export { tabularColumns } from './result/tabular-columns.ts';
export type { RunClock } from './run/run-clock.ts';
export type { RunSlotLimits } from './run/run-slots.ts';
