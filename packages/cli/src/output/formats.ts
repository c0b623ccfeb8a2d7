import { guardFormula } from '@svc/client';
import { Document, isScalar, visit } from 'yaml';
import type { CliContext } from '../context.ts';
import { hasOrders, plainLine, plainText } from './plain-text.ts';

export const outputFormats = ['table', 'json', 'csv', 'yaml'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** A column of a table: its heading, and its value in a row. */
export type Column<Row> = { readonly head: string; readonly of: (row: Row) => unknown };

/** Result of a command: a table for users, and the complete value for programs. */
export type Result = {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** Value for JSON and YAML. */
  readonly whole: unknown;
};

/** Creates the result of a list: columns for users, unchanged entries for programs. */
export const listResult = <Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Result => ({
  heads: columns.map(({ head }) => head),
  rows: rows.map((row) => columns.map(({ of }) => of(row))),
  whole: rows,
});

/** Creates the result of one record: a line for each member. */
export const recordResult = (record: Readonly<Record<string, unknown>>): Result => ({
  heads: ['member', 'value'],
  rows: Object.entries(record),
  whole: record,
});

/** Writes a result in the requested format. */
export function writeResult(
  { answer }: Pick<CliContext, 'answer'>,
  format: OutputFormat,
  result: Result,
): void {
  if (format === 'json') answer(jsonOf(result.whole));
  else if (format === 'yaml') answer(yamlOf(result.whole));
  else if (format === 'csv') answer(csvOf(result));
  else answer(tableOf(result));
}

/** Returns JSON without terminal control characters. Parsers read the same value. */
export const jsonOf = (value: unknown): string => `${plainText(JSON.stringify(value ?? null, null, 2))}\n`;

/**
 * Returns YAML without terminal control characters. Texts that contain them are in double quotes, which allow escapes.
 */
export function yamlOf(value: unknown): string {
  const document = new Document(value ?? null, { aliasDuplicateObjects: false });
  visit(document, (_key, node) => {
    if (isScalar(node) && typeof node.value === 'string' && hasOrders(node.value.replaceAll('\n', '')))
      node.type = 'QUOTE_DOUBLE';
  });
  return plainText(document.toString({ lineWidth: 0 }));
}

const cellText = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

function csvField(value: unknown): string {
  const text = plainText(cellText(value).replaceAll('\r\n', '\n'));
  const guarded = typeof value === 'string' ? guardFormula(text) : text;
  return /[",;\s]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** Returns CSV by RFC 4180. An apostrophe precedes text that a spreadsheet would interpret as a formula. */
const csvOf = ({ heads, rows }: Result): string =>
  [heads, ...rows].map((row) => `${row.map(csvField).join(',')}\r\n`).join('');

const cellMax = 80;

function tableOf({ heads, rows }: Result): string {
  const lines = [heads.map((head) => head.toUpperCase()), ...rows.map((row) => row.map(cellText))].map(
    (row) =>
      row.map((cell) => {
        const text = plainLine(cell);
        return text.length > cellMax ? `${text.slice(0, cellMax - 1)}…` : text;
      }),
  );
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
