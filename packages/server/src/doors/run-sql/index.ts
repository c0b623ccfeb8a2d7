export { createRunSql, type DataSourceTarget, type RunSql, type RunSqlOptions } from './create-run-sql.ts';
export { type MaskingRules, parsePattern } from './masking/index.ts';
export type { ParameterDeclaration, RunParameters } from './parameters.ts';
export { bindParameters } from './parameters.ts';
export { refusingOverHttp } from './problem.ts';
export { type RunSqlCode, RunSqlRefusal, type StepPreview, type StepResult } from './refusal.ts';
export type { RunColumn, RunFinished, RunLimits, RunRequest, RunResult, RunStep } from './request.ts';
export type { RunClock } from './run-clock.ts';
export type { RunSlotLimits } from './run-slots.ts';
