import type { Jobs } from '@svc/jobs';
import {
  type Answering,
  type AnswerSignal,
  type AskService,
  advisoriesOf,
  askRoutes,
  createAnswering,
  createAskService,
} from '../domains/ask/index.ts';
import { createReadKnown } from '../domains/grounding/index.ts';
import type { RequireModel } from '../domains/llm-usage/index.ts';
import { mcpValuesOf } from '../domains/mcp/index.ts';
import { projectRights } from '../domains/projects/index.ts';
import { startedBy } from '../domains/realtime/index.ts';
import type { Llm } from '../doors/llm/index.ts';
import { personalNames } from '../doors/run-sql/index.ts';
import type { DataSourcesPart } from './data-sources.ts';
import type { Ground } from './ground.ts';
import type { LearningPart } from './learning.ts';
import type { Part } from './part.ts';
import { maskingOf } from './queries.ts';
import type { RunSqlDoor } from './run-sql-door.ts';
import { checkStatementBy } from './statement-check.ts';
import { runStatementBy } from './statement-run.ts';

type AskDeps = {
  readonly jobs: Jobs;
  readonly llm: Llm;
  readonly requireModel: RequireModel;
  readonly door: RunSqlDoor;
  readonly note: LearningPart['note'];
  readonly sources: Pick<DataSourcesPart, 'openDataSources' | 'linkedSources' | 'snapshotOf' | 'readUnread'>;
};

export type AskPart = Part & { readonly ask: AskService; readonly answering: Answering };

/**
 * Composes questions about data. Answers come from golden examples, or from a model whose statements pass the
 * gates.
 */
export function composeAsk(ground: Ground, deps: AskDeps): AskPart {
  const { database, audit, log, clock, keys, random } = ground;
  const { jobs, llm, requireModel, sources, door } = deps;
  const checkStatement = checkStatementBy(ground, deps);
  const readKnown = createReadKnown({ database, snapshotOf: sources.snapshotOf });
  const answering = createAnswering({
    database,
    llm,
    readKnown: async (projectId, ...rest) => {
      await sources.readUnread(projectId);
      return readKnown(projectId, ...rest);
    },
    isPersonal: personalNames(maskingOf(ground.settings)),
    check: async ({ dataSourceId, sql }, call) => checkStatement(dataSourceId, sql, call),
    run: runStatementBy(ground, deps),
    advise: (sql, schema) => advisoriesOf(sql, door.dialectOf(schema.engine), schema),
  });
  const ask = createAskService({
    database,
    jobs,
    audit,
    clock,
    requireModel,
    answering,
    startedBy,
    log,
    llm,
    settingsOf: (projectId) => mcpValuesOf(database, ground.settings.mcp.governance, projectId),
    learn: learnBy(ground, deps),
    rights: projectRights,
    vault: { keys, random },
    sourcesOf: async (projectId) => {
      const linked = await sources.linkedSources.of(database, projectId);
      // A model writes only SQL.
      return linked.filter(({ engine }) => !door.dialectOf(engine).isJson);
    },
  });
  return { ask, answering, routes: askRoutes(ask), sweep: ask.sweep };
}

/** Records the outcome of an answer if its project permits learning. A failed record does not affect the answer. */
const learnBy =
  ({ database, log, settings }: Ground, { note }: AskDeps) =>
  async (signal: AnswerSignal): Promise<void> => {
    try {
      const mcpValues = await mcpValuesOf(database, settings.mcp.governance, signal.projectId);
      if (mcpValues.learns) note({ ...signal, tool: 'ask', keepsStatements: mcpValues.keepsStatements });
    } catch (error) {
      log.warn({ err: error }, 'an answer could not be noted for learning');
    }
  };
