import type { RunRequest, RunSql } from '../../../doors/run-sql/index.ts';
import { dataLine, dataNotice, framed } from '../context/framing.ts';
import { type ReadRows, readRows } from '../context/rows.ts';
import { rowsDefault } from '../tools/shapes.ts';
import type { ToolAnswer, ToolCall, UsableProject } from '../tools/tool.ts';

export type RunningDeps = {
  readonly runSql: RunSql;
  /** Patterns of the configuration; a project's own come on top. */
  readonly piiPatterns: readonly string[];
};

/** Bytes of rows as they arrive; far above what an answer holds, far below what would hurt. */
const arrivingBytesMax = 64 * 1024 * 1024;

/** What is masked in a project: always on, here as everywhere. */
export const maskingOf = (deps: Pick<RunningDeps, 'piiPatterns'>, { settings }: UsableProject) => ({
  isEnabled: true,
  customPatterns: [...deps.piiPatterns, ...settings.piiPatterns],
});

/** Runs statements through the run-SQL door under the project's caps. */
export async function runForCall(
  deps: RunningDeps,
  request: Pick<RunRequest, 'steps' | 'finalQuery' | 'parameters'>,
  call: ToolCall,
  maxRows: number | undefined,
): Promise<ReadRows> {
  const { settings } = call.project;
  const rowsWanted = Math.min(maxRows ?? rowsDefault, settings.maxRows);
  const result = await deps.runSql.run({
    ...request,
    masking: maskingOf(deps, call.project),
    limits: { timeoutMs: settings.statementTimeoutSeconds * 1_000, maxBytes: arrivingBytesMax },
    rowsWanted,
    signal: call.signal,
    callerId: call.callerId,
  });
  return readRows(result, {
    maxRows: rowsWanted,
    maxBytes: settings.maxResultBytes,
  });
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Rows as an answer: a sentence of ours, the columns, a line a row. */
export function rowsAnswer(
  read: ReadRows,
  about: { readonly sentence: string; readonly structured?: Readonly<Record<string, unknown>> },
): ToolAnswer {
  const { columns, rows, truncatedBy, executionTimeMs, maskedColumns } = read;
  const left =
    truncatedBy === 'Rows'
      ? ' There are more rows: narrow the statement, aggregate, or raise max_rows.'
      : truncatedBy === 'Bytes'
        ? ' More rows did not fit: ask for fewer or shorter columns, or fewer rows.'
        : '';
  const masked =
    maskedColumns.length > 0
      ? ` Columns that hold personal data are masked (isMasked); maskedReason says why and what to change.`
      : '';
  return {
    text: framed(
      `${about.sentence} ${counted(rows.length, 'row')}, ${counted(columns.length, 'column')}.${left}${masked} The first line names the columns, each further line is a row.`,
      [dataLine(columns), ...read.lines],
    ),
    structured: {
      ...about.structured,
      columns,
      rows,
      rowCount: rows.length,
      isTruncated: truncatedBy !== null,
      truncatedBy,
      executionTimeMs,
      notice: dataNotice,
    },
    rowCount: rows.length,
    maskedColumns,
  };
}
