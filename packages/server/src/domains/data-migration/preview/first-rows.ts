import type { MigrationPreview, MigrationPreviewInput } from '@svc/contract';
import type { CopyData } from '../../../gateways/copy-data/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { openSource, previewTimeoutMs } from './open-source.ts';
import type { MigrationPreviewsDeps } from './service.ts';

/** Rows shown in a preview of a source. */
const shownRowsMax = 50;

/** Reads the first rows. Masks personal data regardless of the job's setting, because a user sees these rows. */
export const firstRows = async (
  deps: MigrationPreviewsDeps,
  by: CallerActor,
  input: MigrationPreviewInput,
  signal: AbortSignal,
): Promise<MigrationPreview['rows']> => {
  const dataSource = await openSource(deps, input.dataSourceId);
  const source = input.source as Parameters<CopyData['sourceText']>[0];
  const { userId } = by.caller;
  const result = await deps.runSql.run({
    steps: [{ order: 1, dataSource, sql: deps.copyData.sourceText(source, dataSource.engine) }],
    masking: { isEnabled: true, customPatterns: deps.personalPatterns },
    limits: { timeoutMs: previewTimeoutMs },
    rowsWanted: shownRowsMax,
    signal,
    ...(userId !== null && { callerId: `user ${userId}` }),
  });
  const rows: unknown[][] = [];
  let rowsRead = 0;
  for await (const batch of result.batches) {
    for (let row = 0; row < batch.rowCount && rows.length < shownRowsMax; row++)
      rows.push(batch.columns.map((column) => column[row] ?? null));
    rowsRead += batch.rowCount;
    // Leaving the loop ends the statement.
    if (rowsRead > shownRowsMax) break;
  }
  const { maskedColumns, maskingReasons } = await result.finished;
  const maskedNames = new Set(maskedColumns);
  return {
    columns: result.columns.map(({ name, kind, databaseType }) => ({
      name,
      kind,
      databaseType,
      isMasked: maskedNames.has(name),
      maskedReason: maskingReasons.get(name) ?? null,
    })),
    rows,
    isComplete: rowsRead <= shownRowsMax,
  };
};
