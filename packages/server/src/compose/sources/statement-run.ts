import type { Ran } from '../../domains/ask/index.ts';
import { targetOf } from '../../domains/data-sources/index.ts';
import { aboutStatement, mcpValuesOf, readRows } from '../../domains/mcp/index.ts';
import { RunSqlRefusal } from '../../gateways/run-sql/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { DataSourcesModule } from './data-sources.ts';
import { maskingOf } from './queries.ts';
import type { RunSqlGateway } from './run-sql-gateway.ts';
import { away } from './statement-check.ts';

export type StatementRunDeps = {
  readonly gateway: RunSqlGateway;
  readonly sources: Pick<DataSourcesModule, 'openDataSources'>;
};

type RunStatement = (
  place: {
    readonly projectId: number;
    readonly dataSourceId: number;
    readonly sql: string;
    readonly rowsMax: number;
  },
  call: { readonly signal: AbortSignal; readonly callerId: string },
) => Promise<Ran>;

const rowsBytesMax = 256 * 1024;
/** Maximum size of received rows. */
const arrivingBytesMax = 64 * 1024 * 1024;

/** Executes a statement under the masking and time limit of the project's AI clients. */
export const runStatementBy =
  ({ database, settings }: Infrastructure, { gateway, sources }: StatementRunDeps): RunStatement =>
  async ({ projectId, dataSourceId, sql, rowsMax }, { signal, callerId }) => {
    const [source] = await sources.openDataSources(database, [dataSourceId]);
    if (!source)
      return {
        kind: 'Refused',
        code: 'not-found',
        message: 'The data source is gone.',
        isStatement: false,
      };
    const mcpValues = await mcpValuesOf(database, settings.mcp.governance, projectId);
    const masking = maskingOf(settings);
    try {
      const result = await gateway.runSql.run({
        steps: [{ order: 1, dataSource: targetOf(source), sql }],
        masking: { ...masking, customPatterns: [...masking.customPatterns, ...mcpValues.piiPatterns] },
        limits: { timeoutMs: mcpValues.statementTimeoutSeconds * 1_000, maxBytes: arrivingBytesMax },
        rowsWanted: Math.min(rowsMax, mcpValues.maxRows),
        signal,
        callerId,
      });
      const caps = { maxRows: Math.min(rowsMax, mcpValues.maxRows), maxBytes: rowsBytesMax };
      const { columns, rows, truncatedBy } = await readRows(result, caps);
      return { kind: 'Rows', columns: [...columns], rows, truncatedBy };
    } catch (error) {
      if (!(error instanceof RunSqlRefusal)) throw error;
      const message = aboutStatement(error);
      return { kind: 'Refused', code: error.code, message, isStatement: !away.has(error.code) };
    }
  };
