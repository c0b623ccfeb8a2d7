import type { RunRequest, RunSql } from '../../../gateways/run-sql/index.ts';
import { dataLine, dataNotice, framed } from '../context/framing.ts';
import { type ReadRows, readRows } from '../context/rows.ts';
import { rowsDefault } from '../tools/shapes.ts';
import type { ToolAnswer, ToolCall, UsableProject } from '../tools/tool.ts';

export type RunningDeps = {
  readonly runSql: RunSql;
  /** Configured patterns. The patterns of a project are added to them. */
  readonly piiPatterns: readonly string[];
};

/** Upper bound for received row bytes. It far exceeds the size of an answer and limits memory. */
const arrivingBytesMax = 64 * 1024 * 1024;

/** Returns the masking rules of a project. Masking is always enabled. */
export const maskingOf = (deps: Pick<RunningDeps, 'piiPatterns'>, { settings }: UsableProject) => ({
  isEnabled: true,
  customPatterns: [...deps.piiPatterns, ...settings.piiPatterns],
});

/** Runs statements through the run-SQL gateway with the project's limits. */
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

/** Formats rows as an answer: an introduction, the columns, and one line per row. */
export function rowsAnswer(
  read: ReadRows,
  about: { readonly sentence: string; readonly structured?: Readonly<Record<string, unknown>> },
): ToolAnswer {
  const { columns, rows, truncatedBy, executionTimeMs, maskedColumns } = read;
  const more =
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
      `${about.sentence} ${counted(rows.length, 'row')}, ${counted(columns.length, 'column')}.${more}${masked} The first line names the columns, each further line is a row.`,
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
