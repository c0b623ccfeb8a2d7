import { basename } from 'node:path';
import { FileRefusal, SpaceRefusal } from '../file-refusals.ts';
import { type CsvText, visitRecords } from './records.ts';

/** First lines with faults that the engine reports as another fault, or with a wrong line. */
type Places = { nul?: number; mixed?: number; long?: number };

/** Limit of the engine for a record. */
const recordBytesMax = 2_000_000;

/**
 * Returns the refusal that names the cause of an error: a NUL character, mixed line ends or a long line. Returns the error
 * itself if the file has none of them, or if the error concerns an earlier line.
 */
export async function causeOf(error: unknown, path: string, text: CsvText): Promise<unknown> {
  const message = error instanceof Error ? error.message : '';
  if (error instanceof SpaceRefusal || /^(Out of Memory|OutOfMemory|Permission Error|IO Error)/.test(message))
    return error;
  const places = await placesIn(path, text).catch((fault: unknown) => fault);
  if (places instanceof FileRefusal) return /Maximum line size/.test(message) ? places : error;
  if (places instanceof Error) return error;
  const { nul, mixed, long } = places as Places;
  const at = (line: number) => `Line ${line} of ${basename(path)}`;
  const line = Number(/^(?:.*CSV Error on )?Line:? (\d+)/.exec(message)?.[1] ?? 0);
  if (/Maximum line size/.test(message) && long !== undefined) return longLine(path, long);
  if (nul !== undefined && (line === 0 || line === nul))
    return new FileRefusal(
      `${at(nul)} has a NUL character, which the file cannot have there. Remove it, or name the encoding in the settings of the file if it is UTF-16.`,
    );
  if (mixed !== undefined && (line === 0 || line >= mixed))
    return new FileRefusal(
      `${at(mixed)} has another line end than the lines before it. Save the file with one kind of line end, or put quotes around values that contain line ends. No setting changes this.`,
    );
  return error;
}

/** Returns the refusal of a line or a record of more than 2 MB. */
const longLine = (path: string, line: number): FileRefusal =>
  new FileRefusal(
    `Line ${line} of ${basename(path)} has more than 2 MB, the limit of CSV files. Save it as Parquet.`,
  );

async function placesIn(path: string, text: CsvText): Promise<Places> {
  const places: Places = {};
  let firstEnd: string | undefined;
  await visitRecords(path, text, ({ line, lineCount, end, bytes, hasNul }) => {
    firstEnd ??= end;
    if (hasNul) places.nul ??= line;
    if (end !== '' && end !== firstEnd) places.mixed ??= line + lineCount - 1;
    if (bytes > recordBytesMax) places.long ??= line;
    return places.mixed !== undefined && places.nul !== undefined && places.long !== undefined;
  });
  return places;
}
