import type { Jobs } from '@svc/jobs';
import {
  createLearn,
  createLearningJobs,
  createLearningService,
  createPatchesService,
  createReplay,
  createSignals,
  learningRoutes,
  type Signal,
} from '../domains/learning/index.ts';
import { mcpValuesOf } from '../domains/mcp/index.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';
import type { RunSqlDoor } from './run-sql-door.ts';
import { away, checkStatementBy, type StatementCheckDeps } from './statement-check.ts';

type LearningDeps = StatementCheckDeps & {
  readonly jobs: Jobs;
  readonly door: Pick<RunSqlDoor, 'dialectOf'>;
};

export type LearningPart = Part & {
  /** Notes a statement and what came of it; the caller has looked whether its project is learnt from. */
  readonly note: (signal: Signal) => void;
};

/** What is learnt of how data is asked for. */
export function composeLearning(ground: Ground, deps: LearningDeps): LearningPart {
  const { database, audit, clock, keys, log, settings } = ground;
  const { dialectOf } = deps.door;
  const signals = createSignals({ database, clock, keys, dialectOf, log });
  const replay = createReplay({ database, clock, dialectOf, check: checkStatementBy(ground, deps) });
  const learning = createLearningService({ database, audit, replay });
  const learn = createLearn({
    ...{ database, dialectOf },
    learns: async (projectId) => (await mcpValuesOf(database, settings.mcp.governance, projectId)).learns,
  });
  const recurring = createLearningJobs({ jobs: deps.jobs, learn });
  return {
    // What keeps a source from being asked says nothing about the statement.
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

const saysNothing: ReadonlySet<string> = new Set([...away, 'internal', 'too-many-calls', 'no-data-source']);
