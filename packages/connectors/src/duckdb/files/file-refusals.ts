import { basename } from 'node:path';

/** Returns the refusal of a file with a quote that opens a value and does not close it before the next delimiter. */
export const unclosedQuote = (path: string, line: number): FileRefusal =>
  new FileRefusal(`Line ${line} of ${basename(path)} ${unclosedText}`);

/** Returns the refusal of a line with another number of values than the header. */
export const raggedLine = (
  path: string,
  { line, ...counts }: { readonly line: number; readonly values: number; readonly expected: number },
): FileRefusal => new FileRefusal(`Line ${line} of ${basename(path)} ${raggedText(counts)}`);

const raggedText = ({ values, expected }: { readonly values: number; readonly expected: number }): string =>
  `has another number of values than its header: ${values}, not ${expected}. ${
    values < expected
      ? 'Correct the line, or let the settings of the file read missing values as NULL.'
      : 'Correct the line, or put quotes around values that contain the delimiter.'
  }`;

const unclosedText = 'has a quote that is not closed. Close it, or write it twice inside a quoted value.';

/** Refusal texts of this process. Any other text of an error is not a refusal. */
const refusals = new Set<string>();
const refusalsMax = 1_000;

/** Refusal of an unreadable file. Its message contains no value of the file. */
export class FileRefusal extends Error {
  override readonly name = 'FileRefusal';
}

const undetected = /automatically detect the CSV/;
/** Returns true for the error of the sniffer for a file that it cannot divide. */
export const isUndetected = (error: unknown): boolean =>
  error instanceof Error && undetected.test(error.message);

const csvLine = /CSV Error on Line: (\d+)/;
const lines = [csvLine, /^Invalid Input Error: (?:Malformed JSON|JSON transform error) .* in line (\d+):/];

const lineOf = (text: string): string => {
  const line = lines.map((pattern) => pattern.exec(text)?.[1]).find(Boolean);
  return line === undefined ? '' : `Line ${line} of `;
};

/**
 * Returns an error of the engine with the line of the file. The engine counts records: a record can have several lines.
 *
 * @param lineOfRecord  returns the line on which a record begins, from 1
 */
export async function withLine(
  error: unknown,
  lineOfRecord: (record: number) => Promise<number>,
): Promise<unknown> {
  const [text, record] = (error instanceof Error && csvLine.exec(error.message)) || [];
  if (!(error instanceof Error) || text === undefined) return error;
  return new Error(error.message.replace(text, `CSV Error on Line: ${await lineOfRecord(Number(record))}`));
}

function reasonOf(text: string, file: string): string {
  const [, expected, present] = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(text) ?? [];
  const where = lineOf(text);
  const subject = where === '' ? `The file ${file}` : `${where}${file}`;
  if (expected !== undefined)
    return `${subject} ${raggedText({ values: Number(present), expected: Number(expected) })}`;
  if (undetected.test(text))
    return `The lines of ${file} have different numbers of values, or a setting does not fit the file. Correct the lines, or change the settings of the file.`;
  if (/unterminated quote/i.test(text)) return `${subject} ${unclosedText}`;
  if (/not \S+ encoded|Invalid unicode/i.test(text))
    return `${subject} is not text in the encoding that its settings name. Leave the encoding out, or save the file in it.`;
  if (/Maximum line size/.test(text))
    return `${subject} has a line of more than 2 MB, the limit of CSV files. Save it as Parquet.`;
  if (/has duplicate key/.test(text))
    return `${subject} has an object with two members of one name. Give one of them another name.`;
  if (/Permission denied/.test(text))
    return `The service may not read the file ${file}. Allow it to read the file.`;
  if (/^IO Error: No files found|Cannot open file/.test(text)) return `The file ${file} does not exist.`;
  if (/set lock on file/.test(text))
    return `The file ${file} is open in another program. Close it there, or connect a copy of the file.`;
  if (/storage version|version number/i.test(text))
    return `The file ${file} was written by another version of DuckDB. Export the table with that version as Parquet.`;
  if (/encrypt/i.test(text)) return `The file ${file} is encrypted. Save it without encryption.`;
  return `${subject} cannot be read. Check that its content has the format of its ending.`;
}

/** Returns the refusal of a file with valid UTF-8 characters and an invalid byte. */
export function notUtf8(error: unknown, file: string): FileRefusal {
  const where = lineOf(error instanceof Error ? error.message : '');
  const subject = where === '' ? 'The file ' : where;
  return new FileRefusal(
    `${subject}${basename(file)} is not UTF-8, unlike the lines before it. Correct it, or name the encoding in the settings of the file.`,
  );
}

/**
 * Returns the text of the refusal of a file, for its view.
 *
 * @throws the error itself if it does not concern the file: no memory, or a refused permission.
 */
export function refuseFile(error: unknown, file: string): string {
  const text = error instanceof Error ? error.message : String(error);
  if (/^(Out of Memory|OutOfMemory|Permission Error)/.test(text)) throw error;
  const refusal = error instanceof FileRefusal ? text : reasonOf(text, file);
  if (refusals.size >= refusalsMax) refusals.clear();
  refusals.add(refusal);
  return refusal;
}

/** Refusal of a file that the statement has no space to convert. Fewer other files can leave enough space. */
export class SpaceRefusal extends FileRefusal {}

/** Returns the refusal that results from the content of a file alone; undefined for any other error. */
export function lastingRefusal(error: unknown, file: string): FileRefusal | undefined {
  if (error instanceof SpaceRefusal || !(error instanceof Error)) return undefined;
  if (error instanceof FileRefusal) return error;
  return /^Invalid Input Error/.test(error.message) ? new FileRefusal(refuseFile(error, file)) : undefined;
}

/** Returns the refusal in an error of the engine; undefined for any other error. */
export function refusalIn(message: string): string | undefined {
  const text = message.replace(/^Invalid Input Error: /, '');
  return refusals.has(text) ? text : undefined;
}
