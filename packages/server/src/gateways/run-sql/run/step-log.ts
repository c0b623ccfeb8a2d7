import type { Batch, ResultStream } from '@svc/connectors';
import type { PreparedStep } from '../prepare.ts';
import type { RunSqlRefusal, StepPreview, StepResult, StepUsage } from '../refusal.ts';
import type { RunColumn } from '../request.ts';

/** Records the results of the steps of a run. */
export type StepLog = {
  readonly start: (prepared: PreparedStep) => void;
  /** Records the scanned and billed bytes of a step, if the engine reports them. */
  readonly bytes: (
    prepared: PreparedStep,
    reported: Pick<ResultStream, 'scannedBytes' | 'billedBytes'>,
  ) => void;
  /** Records a repeated request of a step, and the wait before it. */
  readonly retry: (prepared: PreparedStep, waitedMs: number) => void;
  /** Adds rows that a step has returned. */
  readonly count: (prepared: PreparedStep, rowCount: number) => void;
  /** Records the first rows of a step, already masked. */
  readonly preview: (prepared: PreparedStep, columns: readonly RunColumn[], batch: Batch) => void;
  readonly succeed: (prepared: PreparedStep) => void;
  readonly fail: (prepared: PreparedStep, refusal: RunSqlRefusal) => void;
  readonly results: () => StepResult[];
};

type Entry = {
  outcome: StepResult['outcome'];
  rowCount: number;
  startedMs: number;
  executionTimeMs: number;
  usage: StepUsage;
  error: StepResult['error'];
  preview: StepPreview | null;
};

export function createStepLog(
  steps: readonly PreparedStep[],
  elapsedMs: () => number,
  previewRows: number,
): StepLog {
  const entries = new Map<PreparedStep, Entry>(
    steps.map((step) => [
      step,
      {
        outcome: 'NotRun',
        rowCount: 0,
        startedMs: 0,
        executionTimeMs: 0,
        usage: {},
        error: null,
        preview: null,
      },
    ]),
  );
  const change = (prepared: PreparedStep, work: (entry: Entry) => void): void => {
    const entry = entries.get(prepared);
    if (entry) work(entry);
  };
  const end = (entry: Entry, outcome: StepResult['outcome']): void => {
    entry.outcome = outcome;
    entry.executionTimeMs = elapsedMs() - entry.startedMs;
  };
  return {
    start: (prepared) =>
      change(prepared, (entry) => {
        entry.startedMs = elapsedMs();
      }),
    bytes: (prepared, { scannedBytes, billedBytes }) =>
      change(prepared, (entry) => {
        entry.usage = {
          ...entry.usage,
          ...(scannedBytes !== undefined && { scannedBytes }),
          ...(billedBytes !== undefined && { billedBytes }),
        };
      }),
    retry: (prepared, waitedMs) =>
      change(prepared, (entry) => {
        const { count, waitedMs: before } = entry.usage.retries ?? { count: 0, waitedMs: 0 };
        entry.usage = { ...entry.usage, retries: { count: count + 1, waitedMs: before + waitedMs } };
      }),
    count: (prepared, rowCount) =>
      change(prepared, (entry) => {
        entry.rowCount += rowCount;
      }),
    preview: (prepared, columns, batch) =>
      change(prepared, (entry) => {
        if (previewRows > 0) entry.preview ??= { columns, rows: firstRows(batch, previewRows) };
      }),
    succeed: (prepared) => change(prepared, (entry) => end(entry, 'Succeeded')),
    fail: (prepared, { code, message }) =>
      change(prepared, (entry) => {
        end(entry, 'Failed');
        entry.error = { code, message };
      }),
    results: () =>
      steps.map((prepared) => {
        const entry = entries.get(prepared);
        const { step, table } = prepared;
        return {
          order: step.order,
          name: step.name ?? table,
          dataSourceId: step.dataSource.id,
          outcome: entry?.outcome ?? 'NotRun',
          rowCount: entry?.rowCount ?? 0,
          startedMs: entry?.startedMs ?? 0,
          executionTimeMs: entry?.executionTimeMs ?? 0,
          usage: entry?.usage ?? {},
          error: entry?.error ?? null,
          preview: entry?.preview ?? null,
        };
      }),
  };
}

function firstRows(batch: Batch, rowCount: number): Batch {
  const rowLimit = Math.min(rowCount, batch.rowCount);
  return { rowCount: rowLimit, columns: batch.columns.map((column) => column.slice(0, rowLimit)) };
}
