import type { Attachment } from '@svc/channels';
import type { RowChange } from '@svc/contract';
import type { RunBatch, RunColumn, RunResult } from '../../doors/run-sql/index.ts';
import { nobody, type RowRouter } from '../row-routing/index.ts';
import { attachmentHead, fileOf, firstRows } from './attachment.ts';
import type { FrozenMessages } from './frozen-messages.ts';
import { createPipe, type Pipe } from './pipe.ts';
import { type CollectedResult, collect, sizeOf } from './result.ts';
import type { MessageSubject } from './subject.ts';

/** The rows of one recipient. */
export type OwnResult = {
  /** Place of the recipient among those that can get rows: what its messages are numbered by. */
  readonly place: number;
  readonly recipientId: number;
  readonly rowCount: number;
  /** First rows, fewer than asked for where they grew too large. */
  readonly rows: readonly (readonly unknown[])[];
  /** Where rows are compared: how many are new, how many changed. */
  readonly changes: Readonly<Partial<Record<RowChange, number>>>;
  readonly attachment: Attachment | undefined;
};

/** A result as its recipients get it: each its own rows. */
export type RoutedResult = {
  readonly collected: CollectedResult;
  /** Of those recipients that have rows, by their places. */
  readonly own: readonly OwnResult[];
  /** Rows that nobody gets. */
  readonly unroutedCount: number;
};

export type RoutedOptions = {
  readonly router: Pick<RowRouter, 'recipientIds' | 'placesOf'>;
  /** Rows that are kept of the result as a whole. */
  readonly keptRows: number;
  /** Rows that are kept for each recipient. */
  readonly ownRows: number;
  /** The last cell of a row says what became of it. */
  readonly hasChanges: boolean;
  /** The message that the file of a recipient goes with, by its place; null: no file is written. */
  readonly fileNoOf: ((place: number) => number) | null;
};

/** Rows that are kept of all recipients together, as JSON text, and of each at least. */
const ownBytesMax = 33_554_432;
const ownBytesMin = 65_536;
/** Batches that wait for the file of one recipient. */
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
 * Walks a result once, and gives each recipient its rows: counts them, keeps the first ones and, where the subscription
 * asks for it, writes their file, up to Max rows each.
 *
 * @throws RunSqlRefusal when the run fails on its way, and what writing a file throws; no file stays then.
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
    const known = growing.get(place);
    if (known) return known;
    const file = openFile(messages, run, result.columns, options.fileNoOf?.(place) ?? null);
    file?.written.catch((error: unknown) => {
      failure ??= { error };
    });
    const made: Growing = { rowCount: 0, rows: [], bytes: 0, changes: {}, file };
    growing.set(place, made);
    return made;
  };

  const give = async (place: number, batch: RunBatch, rows: readonly number[]): Promise<void> => {
    const own = growingOf(place);
    own.rowCount += rows.length;
    for (const row of rows) {
      if (options.hasChanges) count(own.changes, batch.columns.at(-1)?.[row]);
      if (own.rows.length >= options.ownRows || own.bytes > ownBytes) continue;
      const cells = batch.columns.map((column) => column[row] ?? null);
      own.bytes += sizeOf(cells);
      if (own.bytes <= ownBytes) own.rows.push(cells);
    }
    await own.file?.pipe.push({
      rowCount: rows.length,
      columns: batch.columns.map((column) => rows.map((row) => column[row] ?? null)),
    });
  };

  async function* given(): AsyncGenerator<RunBatch> {
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
    const collected = await collect({ ...result, batches: given() }, options.keptRows);
    for (const { file } of growing.values()) file?.pipe.end();
    const own = await Promise.all(
      [...growing.keys()].sort((one, other) => one - other).map((place) => ownResultOf(place)),
    );
    return { collected, own, unroutedCount };
  } catch (error) {
    // Each file that is not whole goes, before anybody looks for it.
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
  // Written by the comparison of rows.
  const word = change as RowChange;
  changes[word] = (changes[word] ?? 0) + 1;
}

/** Begins the file of a recipient; its rows come by the pipe. */
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
