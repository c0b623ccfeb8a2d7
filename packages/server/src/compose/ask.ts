import type { Jobs } from '@svc/jobs';
import {
  type AnsweringDeps,
  type AskService,
  advisoriesOf,
  askRoutes,
  createAnswering,
  createAskService,
  namedTables,
} from '../domains/ask/index.ts';
import { targetOf } from '../domains/data-sources/index.ts';
import { createEvaluationService, evaluationRoutes } from '../domains/evaluation/index.ts';
import { createReadKnown } from '../domains/grounding/index.ts';
import type { RequireModel } from '../domains/llm-usage/index.ts';
import { aboutStatement, mcpValuesOf, readRows } from '../domains/mcp/index.ts';
import { projectRights } from '../domains/projects/index.ts';
import { startedBy } from '../domains/realtime/index.ts';
import type { Llm } from '../doors/llm/index.ts';
import { personalNames, RunSqlRefusal } from '../doors/run-sql/index.ts';
import type { DataSourcesPart } from './data-sources.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';
import { maskingOf } from './queries.ts';
import type { RunSqlDoor } from './run-sql-door.ts';
import { away, checkStatementBy } from './statement-check.ts';

type AskDeps = {
  readonly jobs: Jobs;
  readonly llm: Llm;
  readonly requireModel: RequireModel;
  readonly door: RunSqlDoor;
  readonly sources: Pick<DataSourcesPart, 'openDataSources' | 'linkedSources' | 'snapshotOf' | 'readUnread'>;
};

export type AskPart = Part & { readonly ask: AskService };

const rowsBytesMax = 256 * 1024;
/** Bytes of rows as they arrive. */
const arrivingBytesMax = 64 * 1024 * 1024;

/** Questions about data: answered from golden examples, or by a model whose statements pass the gates. */
export function composeAsk(ground: Ground, deps: AskDeps): AskPart {
  const { database, audit, log, clock, keys, random } = ground;
  const { jobs, llm, requireModel, sources, door } = deps;
  const checkStatement = checkStatementBy(ground, deps);
  const readKnown = createReadKnown({ database, snapshotOf: sources.snapshotOf });
  const answering = createAnswering({
    ...{ database, llm },
    readKnown: async (projectId, ...rest) => {
      await sources.readUnread(projectId);
      return readKnown(projectId, ...rest);
    },
    isPersonal: personalNames(maskingOf(ground.settings)),
    check: async ({ dataSourceId, sql }, call) => checkStatement(dataSourceId, sql, call),
    run: runBy(ground, deps),
    advise: (sql, engine) => advisoriesOf(sql, door.dialectOf(engine)),
  });
  const ask = createAskService({
    ...{ database, jobs, audit, clock, requireModel, answering, startedBy },
    log,
    rights: projectRights,
    vault: { keys, random },
    sourcesOf: (projectId) => sources.linkedSources.of(database, projectId),
  });
  const evaluation = createEvaluationService({
    ...{ database, jobs, audit, clock, requireModel, answering, startedBy },
    pauseMs: 10_000,
    tablesOf: async (dataSourceId) => {
      const { tables, engine } = await sources.snapshotOf(dataSourceId);
      const names = new Set(tables.map(({ name }) => name.toLowerCase()));
      return (sql) => namedTables(sql, door.dialectOf(engine), names);
    },
  });
  return { ask, routes: [...askRoutes(ask), ...evaluationRoutes(evaluation)], sweep: ask.sweep };
}

/** Runs a statement under the masking and the time that the project's AI clients have. */
const runBy =
  ({ database, settings }: Ground, { door, sources }: AskDeps): AnsweringDeps['run'] =>
  async ({ projectId, dataSourceId, sql, rowsMax }, { signal, callerId }) => {
    const [source] = await sources.openDataSources(database, [dataSourceId]);
    if (!source)
      return {
        ...{ kind: 'Refused', code: 'not-found', message: 'The data source is gone.' },
        isStatement: false,
      };
    const own = await mcpValuesOf(database, settings.mcp.governance, projectId);
    const masking = maskingOf(settings);
    try {
      const result = await door.runSql.run({
        steps: [{ order: 1, dataSource: targetOf(source), sql }],
        masking: { ...masking, customPatterns: [...masking.customPatterns, ...own.piiPatterns] },
        limits: { timeoutMs: own.statementTimeoutSeconds * 1_000, maxBytes: arrivingBytesMax },
        rowsWanted: Math.min(rowsMax, own.maxRows),
        ...{ signal, callerId },
      });
      const caps = { maxRows: Math.min(rowsMax, own.maxRows), maxBytes: rowsBytesMax };
      const { columns, rows, truncatedBy } = await readRows(result, caps);
      return { kind: 'Rows', columns: [...columns], rows, truncatedBy };
    } catch (error) {
      if (!(error instanceof RunSqlRefusal)) throw error;
      const message = aboutStatement(error, sql);
      return { kind: 'Refused', code: error.code, message, isStatement: !away.has(error.code) };
    }
  };
