import type { EvalRun } from '@svc/contract';
import type { Jobs } from '@svc/jobs';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/index.ts';
import type { Answering } from '../ask/index.ts';
import type { RequireModel } from '../llm-usage/index.ts';
import type { StartRun } from './starting.ts';

export type EvaluationDeps = {
  readonly database: Database;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly requireModel: RequireModel;
  readonly answering: Answering;
  /** Returns a function that finds tables of the data source in a statement. */
  readonly tablesOf: (dataSourceId: number) => Promise<(sql: string) => ReadonlySet<string>>;
  /** Statements generated for each question of a project. */
  readonly candidatesOf: (projectId: number) => Promise<number>;
  /** Delay after the model refuses a call because of its rate limit. */
  readonly pauseMs: number;
  readonly startRun: StartRun;
  /** Called in the transaction that completes an evaluation, after all its questions. */
  readonly onCompleted: (tx: Tx, run: EvalRun) => Promise<void>;
};
