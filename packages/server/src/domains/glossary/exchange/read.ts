import { type GlossaryColumn, glossaryColumns, importedTermsMax } from '@svc/contract';
import { CsvError, parse } from 'csv-parse/sync';
import { brokenRule } from '../../../platform/http/index.ts';
import { unguarded } from '../../../platform/tabular/index.ts';

/** One record of a document. */
export type TermRecord = {
  /** Line where the record starts; the heading is line 1. */
  readonly line: number;
  /** Returns the text of a cell; undefined when the document has no such column. */
  readonly cell: (column: GlossaryColumn) => string | undefined;
};

const refused = (line: number, why: string) =>
  brokenRule('invalid-glossary-document', `The document cannot be read. Line ${line}: ${why}.`, [
    { path: '/document', message: `Line ${line}: ${why}` },
  ]);

const separators = [',', ';', '\t'] as const;
const cellsMax = 100;

/** Returns the separator. Spreadsheets choose it by the language of the user. */
function separatorOf(document: string): string {
  const [heading = ''] = document.split(/\r\n|\r|\n/, 1);
  const count = (separator: string) => heading.split(separator).length;
  return [...separators].sort((one, other) => count(other) - count(one))[0] ?? ',';
}

type Parsed = {
  readonly record: readonly string[];
  /** Bytes of the document up to the end of the record. */
  readonly info: { readonly bytes: number };
};

function parsed(document: string): readonly Parsed[] {
  try {
    // With `info`, each record includes its position. The type declarations do not cover that.
    return parse(document, {
      bom: true,
      delimiter: separatorOf(document),
      recordDelimiter: ['\r\n', '\n', '\r'],
      info: true,
      relaxColumnCount: true,
      skipEmptyLines: true,
      to: importedTermsMax + 2,
    }) as unknown as readonly Parsed[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = Object(error) as { lines?: unknown };
    throw refused(typeof lines === 'number' ? lines : 1, faultOf[error.code] ?? 'it is no CSV');
  }
}

const lineEnd = /\r\n|\r|\n/g;
const blankLines = /^(?:[ \t]*(?:\r\n|\r|\n))*/;

/** Returns the first line of each record. The parser counts a two-character line end inside a cell twice. */
function beginnings(document: string, records: readonly Parsed[]): number[] {
  const bytes = Buffer.from(document);
  let line = 1;
  let start = 0;
  return records.map(({ info }) => {
    const text = bytes.toString('utf8', start, info.bytes);
    start = info.bytes;
    const [blank = ''] = blankLines.exec(text) ?? [];
    const began = line + (blank.match(lineEnd)?.length ?? 0);
    line += text.match(lineEnd)?.length ?? 0;
    return began;
  });
}

const faultOf: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark is opened and not closed',
  CSV_INVALID_CLOSING_QUOTE: 'something follows the quotation mark that closes a cell',
  INVALID_OPENING_QUOTE: 'a quotation mark stands within a cell that does not begin with one',
};

const isColumn = (name: string): name is GlossaryColumn => glossaryColumns.some((column) => column === name);
const columnNamed = (name: string): string =>
  glossaryColumns.find((column) => column.toLowerCase() === name.trim().toLowerCase()) ?? name.trim();

function headingOf({ record }: Parsed): ReadonlyMap<GlossaryColumn, number> {
  if (record.length > cellsMax) throw refused(1, 'it has too many columns');
  const places = new Map<GlossaryColumn, number>();
  for (const [at, text] of record.entries()) {
    const name = columnNamed(text);
    if (!isColumn(name))
      throw refused(1, `“${name.slice(0, 40)}” is no column; they are ${glossaryColumns.join(', ')}`);
    if (places.has(name)) throw refused(1, `the column ${name} is there twice`);
    places.set(name, at);
  }
  if (!places.has('term')) throw refused(1, 'the column term is missing');
  return places;
}

/**
 * Reads a glossary from untrusted CSV. Refuses invalid CSV, unknown columns and documents above the limits, with the
 * line.
 *
 * @throws Refusal 400 with the error.
 */
export function readRecords(document: string): readonly TermRecord[] {
  const records = parsed(document);
  const [first, ...rest] = records;
  if (!first) throw refused(1, 'it is empty');
  const places = headingOf(first);
  const [, ...lines] = beginnings(document, records);
  if (rest.length > importedTermsMax)
    throw refused(lines.at(-1) ?? 1, `it has more than ${importedTermsMax} terms`);
  return rest.flatMap(({ record }, at) => {
    if (record.every((text) => text.trim() === '')) return [];
    const cell = (column: GlossaryColumn): string | undefined => {
      const place = places.get(column);
      return place === undefined ? undefined : unguarded(record[place] ?? '');
    };
    return [{ line: lines[at] ?? 1, cell }];
  });
}
