import type { Attachment } from '@svc/channels';
import type { RowChange } from '@svc/contract';
import type { RunBatch, RunColumn, RunResult } from '../../gateways/run-sql/index.ts';
import { nobody, type RowRouter } from '../row-routing/index.ts';
import { attachmentHead, fileOf, firstRows } from './attachment.ts';
import type { FrozenMessages } from './frozen-messages.ts';
import { createPipe, type Pipe } from './pipe.ts';
import { type CollectedResult, collect, sizeOf } from './result.ts';
import type { MessageSubject } from './subject.ts';

/** Rows of one recipient. */
export type OwnResult = {
  /** Place of the recipient among the recipients that can get rows. It determines the numbers of its messages. */
  readonly place: number;
  readonly recipientId: number;
  readonly rowCount: number;
  /** First rows; fewer than requested if they are too large. */
  readonly rows: readonly (readonly unknown[])[];
  /** Number of new and of changed rows, if rows are compared. */
  readonly changes: Readonly<Partial<Record<RowChange, number>>>;
  readonly attachment: Attachment | undefined;
};

/** Result in which each recipient has its own rows. */
export type RoutedResult = {
  readonly collected: CollectedResult;
  /** Results of the recipients with rows, by place. */
  readonly own: readonly OwnResult[];
  /** Number of rows without a recipient. */
  readonly unroutedCount: number;
};

export type RoutedOptions = {
  readonly router: Pick<RowRouter, 'recipientIds' | 'placesOf'>;
  /** Number of rows to collect from the whole result. */
  readonly keptRows: number;
  /** Number of rows to collect for each recipient. */
  readonly ownRows: number;
  /** True: the last cell of a row contains its change. */
  readonly hasChanges: boolean;
  /** Returns the number of the message with a recipient's file, by place; null: no files. */
  readonly fileNoOf: ((place: number) => number) | null;
};

/** Limit of the collected rows of all recipients together, and minimum for each, in bytes of JSON text. */
const ownBytesMax = 33_554_432;
const ownBytesMin = 65_536;
/** Maximum number of batches that wait for the file of one recipient. */
const batchesWaiting = 4;

type Growing = {
  rowCount: number;
  readonly rows: unknown[][];
  bytes: number;
  readonly changes: Partial<Record<RowChange, number>>;
  readonly file: GrowingFile | null;
};
type GrowingFile = {
  readonly pipe: Pipe<RunBatch>;
  readonly written: Promise<Attachment | undefined>;
};

/**
 * Reads a result once and gives each recipient its rows: counts them and collects the first ones. Writes a file for
 * each, up to Max rows, if the subscription includes one.
 *
 * @throws RunSqlRefusal when the run fails midway, and errors of writing a file. No file remains then.
 */
export async function findOwnResults(
  messages: Pick<FrozenMessages, 'keepFile'>,
  run: Pick<MessageSubject, 'id' | 'dueAt' | 'queryName' | 'attachmentFormat' | 'maxRows'>,
  result: RunResult,
  options: RoutedOptions,
): Promise<RoutedResult> {
  const { router } = options;
  const ownBytes = Math.max(ownBytesMin, Math.floor(ownBytesMax / Math.max(1, router.recipientIds.length)));
  const growing = new Map<number, Growing>();
  let unroutedCount = 0;
  let failure: { readonly error: unknown } | undefined;

  const growingOf = (place: number): Growing => {
    const existingResult = growing.get(place);
    if (existingResult) return existingResult;
    const file = openFile(messages, run, result.columns, options.fileNoOf?.(place) ?? null);
    file?.written.catch((error: unknown) => {
      failure ??= { error };
    });
    const created: Growing = { rowCount: 0, rows: [], bytes: 0, changes: {}, file };
    growing.set(place, created);
    return created;
  };

  const give = async (place: number, batch: RunBatch, rows: readonly number[]): Promise<void> => {
    const recipientResult = growingOf(place);
    recipientResult.rowCount += rows.length;
    for (const row of rows) {
      if (options.hasChanges) count(recipientResult.changes, batch.columns.at(-1)?.[row]);
      if (recipientResult.rows.length >= options.ownRows || recipientResult.bytes > ownBytes) continue;
      const cells = batch.columns.map((column) => column[row] ?? null);
      recipientResult.bytes += sizeOf(cells);
      if (recipientResult.bytes <= ownBytes) recipientResult.rows.push(cells);
    }
    await recipientResult.file?.pipe.push({
      rowCount: rows.length,
      columns: batch.columns.map((column) => rows.map((row) => column[row] ?? null)),
    });
  };

  async function* routedBatches(): AsyncGenerator<RunBatch> {
    for await (const batch of result.batches) {
      const byPlace = Map.groupBy(router.placesOf(batch).entries(), ([, place]) => place);
      for (const [place, entries] of byPlace) {
        if (failure) throw failure.error;
        if (place === nobody) unroutedCount += entries.length;
        else
          await give(
            place,
            batch,
            entries.map(([row]) => row),
          );
      }
      yield batch;
    }
  }

  try {
    const collected = await collect({ ...result, batches: routedBatches() }, options.keptRows);
    for (const { file } of growing.values()) file?.pipe.end();
    const own = await Promise.all(
      [...growing.keys()].sort((one, other) => one - other).map((place) => ownResultOf(place)),
    );
    return { collected, own, unroutedCount };
  } catch (error) {
    // Incomplete files are deleted before the error leaves this function.
    for (const { file } of growing.values()) file?.pipe.fail(error);
    await Promise.allSettled([...growing.values()].map(({ file }) => file?.written));
    throw error;
  }

  async function ownResultOf(place: number): Promise<OwnResult> {
    const { rowCount, rows, changes, file } = growingOf(place);
    const recipientId = router.recipientIds[place];
    if (recipientId === undefined) throw new Error('A row was given to a place that nobody has.');
    return { place, recipientId, rowCount, rows, changes, attachment: await file?.written };
  }
}

function count(changes: Partial<Record<RowChange, number>>, change: unknown): void {
  // The comparison of rows wrote this cell.
  const rowChange = change as RowChange;
  changes[rowChange] = (changes[rowChange] ?? 0) + 1;
}

/** Starts the file of a recipient. Its rows arrive through the pipe. */
function openFile(
  messages: Pick<FrozenMessages, 'keepFile'>,
  run: Pick<MessageSubject, 'id' | 'dueAt' | 'queryName' | 'attachmentFormat' | 'maxRows'>,
  columns: readonly RunColumn[],
  messageNo: number | null,
): GrowingFile | null {
  const { attachmentFormat: format } = run;
  if (format === null || messageNo === null) return null;
  const pipe = createPipe<RunBatch>(batchesWaiting);
  let rowCount = 0;
  const counted = async function* () {
    for await (const batch of firstRows(pipe.values, run.maxRows ?? Number.MAX_SAFE_INTEGER)) {
      rowCount += batch.rowCount;
      yield batch;
    }
  };
  const file = fileOf(format, columns, counted());
  const written = messages.keepFile(
    { run, messageNo },
    attachmentHead(run.queryName, format),
    file,
    () => rowCount,
  );
  written.catch(pipe.abandon);
  return { pipe, written };
}
