import type { Jobs } from '@svc/jobs';
import {
  type Answering,
  type AnswerSignal,
  type AskService,
  advisoriesOf,
  askRoutes,
  createAnswering,
  createAskService,
} from '../../domains/ask/index.ts';
import { createReadKnown } from '../../domains/grounding/index.ts';
import type { RequireModel } from '../../domains/llm-usage/index.ts';
import { mcpValuesOf } from '../../domains/mcp/index.ts';
import { projectRights } from '../../domains/projects/index.ts';
import { startedBy } from '../../domains/realtime/index.ts';
import type { Llm } from '../../gateways/llm/index.ts';
import { personalNames } from '../../gateways/run-sql/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';
import type { DataSourcesModule } from '../sources/data-sources.ts';
import { maskingOf } from '../sources/queries.ts';
import type { RunSqlGateway } from '../sources/run-sql-gateway.ts';
import { checkStatementBy } from '../sources/statement-check.ts';
import { runStatementBy } from '../sources/statement-run.ts';
import type { LearningModule } from './learning.ts';

type AskDeps = {
  readonly jobs: Jobs;
  readonly llm: Llm;
  readonly requireModel: RequireModel;
  readonly gateway: RunSqlGateway;
  readonly note: LearningModule['note'];
  readonly sources: Pick<
    DataSourcesModule,
    'openDataSources' | 'linkedSources' | 'snapshotOf' | 'readUnread'
  >;
};

export type AskModule = Module & { readonly ask: AskService; readonly answering: Answering };

/**
 * Composes questions about data. Answers come from golden examples, or from a model whose statements pass the
 * gates.
 */
export function composeAsk(infra: Infrastructure, deps: AskDeps): AskModule {
  const { database, audit, log, clock, keys, random } = infra;
  const { jobs, llm, requireModel, sources, gateway } = deps;
  const checkStatement = checkStatementBy(infra, deps);
  const readKnown = createReadKnown({ database, snapshotOf: sources.snapshotOf });
  const answering = createAnswering({
    database,
    llm,
    readKnown: async (projectId, ...rest) => {
      await sources.readUnread(projectId);
      return readKnown(projectId, ...rest);
    },
    isPersonal: personalNames(maskingOf(infra.settings)),
    check: async ({ dataSourceId, sql }, call) => checkStatement(dataSourceId, sql, call),
    run: runStatementBy(infra, deps),
    advise: (sql, schema) => advisoriesOf(sql, gateway.dialectOf(schema.engine), schema),
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
    settingsOf: (projectId) => mcpValuesOf(database, infra.settings.mcp.governance, projectId),
    learn: learnBy(infra, deps),
    rights: projectRights,
    vault: { keys, random },
    sourcesOf: async (projectId) => {
      const linked = await sources.linkedSources.of(database, projectId);
      // A model writes only SQL.
      return linked.filter(({ engine }) => !gateway.dialectOf(engine).isJson);
    },
  });
  return { ask, answering, routes: askRoutes(ask), sweep: ask.sweep };
}

/** Records the outcome of an answer if its project permits learning. A failed record does not affect the answer. */
const learnBy =
  ({ database, log, settings }: Infrastructure, { note }: AskDeps) =>
  async (signal: AnswerSignal): Promise<void> => {
    try {
      const mcpValues = await mcpValuesOf(database, settings.mcp.governance, signal.projectId);
      if (mcpValues.learns) note({ ...signal, tool: 'ask', keepsStatements: mcpValues.keepsStatements });
    } catch (error) {
      log.warn({ err: error }, 'an answer could not be noted for learning');
    }
  };
