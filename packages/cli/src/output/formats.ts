import { Document, isScalar, visit } from 'yaml';
import type { CliContext } from '../context.ts';
import { hasOrders, plainLine, plainText } from './plain-text.ts';

export const outputFormats = ['table', 'json', 'csv', 'yaml'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** A column of a table: its heading, and what stands in it. */
export type Column<Row> = { readonly head: string; readonly of: (row: Row) => unknown };

/** What a command answers: a table for people, and the whole for programs. */
export type Result = {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** What JSON and YAML say. */
  readonly whole: unknown;
};

/** A list: its columns for people, its entries as they are for programs. */
export const listResult = <Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Result => ({
  heads: columns.map(({ head }) => head),
  rows: rows.map((row) => columns.map(({ of }) => of(row))),
  whole: rows,
});

/** One record: a line for each member. */
export const recordResult = (record: Readonly<Record<string, unknown>>): Result => ({
  heads: ['member', 'value'],
  rows: Object.entries(record),
  whole: record,
});

/** Writes a result in the format that was asked for. */
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

/** JSON in which nothing is left that a terminal obeys; JSON reads the same. */
export const jsonOf = (value: unknown): string => `${plainText(JSON.stringify(value ?? null, null, 2))}\n`;

/** YAML, likewise: what holds an order stands in double quotes, where it can be escaped. */
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

/** What a spreadsheet would take for a formula. */
const formula = /^[=+\-@\t\r]/;

function csvField(value: unknown): string {
  const text = plainText(cellText(value).replaceAll('\r\n', '\n'));
  const guarded = typeof value === 'string' && formula.test(text) ? `'${text}` : text;
  return /[",;\s]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** CSV by RFC 4180; text that a spreadsheet would take for a formula is led by an apostrophe. */
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
