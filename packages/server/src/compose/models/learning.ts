import type { Jobs } from '@svc/jobs';
import {
  createLearn,
  createLearningJobs,
  createLearningService,
  createPatchesService,
  createReplay,
  createSignals,
  createStartLearning,
  learningRoutes,
  type Signal,
} from '../../domains/learning/index.ts';
import { mcpValuesOf } from '../../domains/mcp/index.ts';
import { startedBy } from '../../domains/realtime/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';
import type { RunSqlGateway } from '../sources/run-sql-gateway.ts';
import { away, checkStatementBy, type StatementCheckDeps } from '../sources/statement-check.ts';

type LearningDeps = StatementCheckDeps & {
  readonly jobs: Jobs;
  readonly gateway: Pick<RunSqlGateway, 'dialectOf'>;
};

export type LearningModule = Module & {
  /** Records a statement and its outcome. The caller has checked that the project permits learning. */
  readonly note: (signal: Signal) => void;
};

/** Composes learning from the statements that AI clients send. */
export function composeLearning(infra: Infrastructure, deps: LearningDeps): LearningModule {
  const { database, audit, clock, keys, log, settings } = infra;
  const { dialectOf } = deps.gateway;
  const signals = createSignals({ database, clock, keys, dialectOf, log });
  const replay = createReplay({ database, clock, dialectOf, check: checkStatementBy(infra, deps) });
  const learns = async (projectId: number): Promise<boolean> =>
    (await mcpValuesOf(database, settings.mcp.governance, projectId)).learns;
  const start = createStartLearning(deps.jobs);
  const learning = createLearningService({
    database,
    audit,
    replay,
    learns,
    startLearning: (tx, caller, projectId) => start(tx, projectId, startedBy(caller)),
  });
  const learn = createLearn({ database, dialectOf, learns });
  const recurring = createLearningJobs({ jobs: deps.jobs, learn });
  return {
    // Faults of a source, and statements that are no reads, contain no information about names.
    note: (signal) => {
      if (!saysNothing.has(signal.outcome)) signals.note(signal);
    },
    routes: learningRoutes(learning, createPatchesService({ database, audit })),
    start: async () => {
      if (settings.process.runsJobs) await recurring.start();
    },
    close: signals.close,
  };
}

const saysNothing: ReadonlySet<string> = new Set([
  ...away,
  'internal',
  'too-many-calls',
  'no-data-source',
  'not-a-read',
  'read-only',
  'more-than-one-statement',
  'function-refused',
  'permission-denied',
]);
