import { plural } from '@svc/contract/wording';
import type { BoundValue } from '../bound-value.ts';
import { ConnectorError, positionAt } from '../error.ts';
import type { Statement } from '../port.ts';
import { refuseStatement } from '../sql/read-only-gate.ts';
import {
  type ExactJson,
  isList,
  isObject,
  JsonNumber,
  parseExact,
  pointerParts,
} from './answer/exact-json.ts';
import { boundName } from './marker.ts';
import { isKeyParameter } from './request/request.ts';
import type { RestConnection } from './settings.ts';

/** Types for reading a column's values. Without one, the values of the first rows decide. */
export const columnTypes = ['text', 'integer', 'number', 'boolean', 'date', 'timestamp', 'json'] as const;
export type ColumnType = (typeof columnTypes)[number];

export type NamedColumn = {
  readonly name: string;
  readonly parts: readonly string[];
  readonly type: ColumnType | undefined;
};

/** Location of the next page: in a link, by a text in the page, or by counting. */
export type Paging =
  | { readonly by: 'link'; readonly parts: readonly string[] }
  | { readonly by: 'header' }
  | { readonly by: 'cursor'; readonly parts: readonly string[]; readonly parameter: string }
  | {
      readonly by: 'count';
      readonly parameter: string;
      readonly start: number;
      readonly step: number;
      /** A page with fewer rows is the last one. Absent: an empty page is the last one. */
      readonly size: number | undefined;
    };

/** One read of an endpoint. */
export type RestRequest = {
  /** The selected endpoint. */
  readonly endpoint: string;
  /** Path below the base URL, with its encoded parameters. */
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly rows: readonly string[];
  readonly columns: readonly NamedColumn[] | undefined;
  readonly paging: Paging | undefined;
  readonly pagesMax: number;
};

const pagesMax = 100;
const columnsMax = 1_000;
const urlLengthMax = 8_000;
/** Text and values of a statement. */
type Reading = {
  readonly sql: string;
  readonly values: readonly BoundValue[] | undefined;
};

/** Reads a statement and checks it against the selected endpoints. It sends no request. */
export function readRequest({ sql, values }: Statement, connection: RestConnection): RestRequest {
  const reading: Reading = { sql, values };
  const root = parseStatement(sql);
  assertMembers(reading, root, ['path', 'params', 'query', 'rows', 'columns', 'pages'], 'a step');
  const endpoint = endpointOf(reading, root, connection);
  const { rows: place = '', params = {}, query: queryMembers = {} } = root;
  const rows = pointer(reading, 'rows', place);
  const paging = readPaging(reading, root['pages'], rows);
  const path = fillPath(reading, endpoint, params);
  const query = readQuery(reading, queryMembers);
  assertNoKey(reading, connection, [...query.map(([name]) => name), ...parametersOf(paging?.paging)]);
  if (path.length + new URLSearchParams(query).toString().length > urlLengthMax)
    refuse(reading, 'query', `The path and the query have more than ${plural(urlLengthMax, 'character')}.`);
  return {
    endpoint,
    path,
    query,
    rows,
    paging: paging?.paging,
    pagesMax: paging?.max ?? 1,
    columns: root['columns'] === undefined ? undefined : readColumns(reading, root['columns']),
  };
}

type Members = { readonly [name: string]: ExactJson };

function parseStatement(sql: string): Members {
  if (sql.trim() === '') refuseStatement('empty-statement', 'There is no statement.', sql, 0);
  let root: ExactJson;
  try {
    root = parseExact(sql);
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const at = Number(/at position (\d+)/.exec(message)?.[1] ?? sql.length);
    const isSql = /^\s*[\w(-]/.test(sql) && !/^\s*(true|false|null|[-\d])/.test(sql);
    if (isSql) refuseStatement('not-a-read', `A REST API is asked in JSON, not in SQL: ${example}.`, sql, 0);
    throw new ConnectorError('syntax-refused', `The statement is no JSON: ${example}.`, {
      position: positionAt(sql, at),
    });
  }
  if (!isObject(root))
    refuseStatement('syntax-refused', `The statement must be a JSON object: ${example}.`, sql, 0);
  return root;
}

const example = '{"path": "/orders", "query": {"status": "open"}, "rows": "/data"}';

function refuse({ sql }: Reading, text: string, message: string): never {
  refuseStatement('syntax-refused', message, sql, Math.max(0, sql.indexOf(JSON.stringify(text))));
}

function assertMembers(reading: Reading, node: Members, names: readonly string[], what: string): void {
  const otherName = Object.keys(node).find((name) => !names.includes(name));
  if (otherName !== undefined)
    refuse(
      reading,
      otherName,
      `${otherName.slice(0, 100)} is no member of ${what}. It has ${names.join(', ')}.`,
    );
}

function endpointOf(reading: Reading, { path }: Members, { endpoints }: RestConnection): string {
  if (typeof path !== 'string') refuse(reading, 'path', 'path must be a text: the path of an endpoint.');
  const selected = endpoints.find((endpoint) => endpoint === path);
  if (selected !== undefined) return selected;
  const list = endpoints.slice(0, 10).join(', ');
  const message = `${path.slice(0, 200)} is no endpoint that was ticked for this data source. Write one of ${list}${endpoints.length > 10 ? ', …' : ''} as it is, with the values of its braces in params.`;
  refuseStatement('not-a-read', message, reading.sql, Math.max(0, reading.sql.indexOf('"path"')));
}

function pointer(reading: Reading, name: string, value: ExactJson): readonly string[] {
  const parts = typeof value === 'string' ? pointerParts(value) : undefined;
  return parts ?? refuse(reading, name, `${name} must be a JSON pointer, such as "/data/items".`);
}

/** Reads a value in the statement, or a bound one; null for an absent value. */
function scalar(reading: Reading, name: string, value: ExactJson): string | null {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (value instanceof JsonNumber) return value.text;
  const bound = boundValue(reading, value);
  if (bound !== undefined) return bound.value === null ? null : String(bound.value);
  refuse(reading, name, `${name.slice(0, 100)} must be a text, a number, true, false or null.`);
}

function boundValue({ values }: Reading, value: ExactJson): BoundValue | undefined {
  if (!isObject(value) || Object.keys(value).length !== 1) return undefined;
  const number = value[boundName];
  return number instanceof JsonNumber ? values?.[Number(number.text) - 1] : undefined;
}

const control = /\p{Cc}/u;

/** Fills in the path. Each value is one segment, so it cannot lead to another endpoint. */
function fillPath(reading: Reading, endpoint: string, params: ExactJson): string {
  if (!isObject(params))
    refuse(reading, 'params', 'params must be an object: a value for each name in braces.');
  const names = [...endpoint.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  assertMembers(reading, params, names, `params of ${endpoint}`);
  const filled = endpoint.replaceAll(/\{([^}]+)\}/g, (_braces, name: string) => {
    const value = Object.hasOwn(params, name) ? scalar(reading, name, params[name] ?? null) : null;
    if (value === null || value === '')
      refuse(reading, 'params', `${name} needs a value in params: {"params": {"${name}": …}}.`);
    if (/[/\\]/.test(value) || control.test(value) || /^\.{1,2}$/.test(value) || /%2[ef]/i.test(value))
      refuse(reading, name, `The value of ${name} must not hold a slash, dots alone or control characters.`);
    return encodeURIComponent(value.toWellFormed());
  });
  if (/(^|\/)\.{1,2}(\/|$)/.test(filled))
    refuse(reading, 'params', 'The values of params must not make a segment of dots alone.');
  return filled;
}

function readQuery(reading: Reading, query: ExactJson): [string, string][] {
  if (!isObject(query)) refuse(reading, 'query', 'query must be an object: a value for each parameter.');
  const pairs: [string, string][] = [];
  for (const [name, value] of Object.entries(query)) {
    if (name === '') refuse(reading, 'query', 'A parameter of query has no name.');
    for (const one of isList(value) ? value : [value]) {
      const text = scalar(reading, name, one);
      // A parameter without a value is not sent.
      if (text !== null) pairs.push([name, text]);
    }
  }
  return pairs;
}

const parametersOf = (paging: Paging | undefined): readonly string[] =>
  paging && 'parameter' in paging ? [paging.parameter] : [];

/** Refuses the key in a statement: statements are displayed, the key is not. */
function assertNoKey(reading: Reading, connection: RestConnection, names: readonly string[]): void {
  const keyName = names.find((name) => isKeyParameter(connection, name));
  if (keyName !== undefined)
    refuse(reading, keyName, `${keyName} carries the key of the data source, which sends it by itself.`);
}

function readColumns(reading: Reading, columns: ExactJson): NamedColumn[] {
  if (!isObject(columns) || Object.keys(columns).length === 0)
    refuse(reading, 'columns', 'columns must be an object: a JSON pointer within a row for each name.');
  const entries = Object.entries(columns);
  if (entries.length > columnsMax) refuse(reading, 'columns', `columns has more than ${columnsMax} members.`);
  return entries.map(([name, value]) => {
    if (name === '') refuse(reading, 'columns', 'A column has no name.');
    if (typeof value === 'string') return { name, parts: pointer(reading, name, value), type: undefined };
    if (!isObject(value))
      refuse(
        reading,
        name,
        `The column ${name.slice(0, 100)} must be a JSON pointer, or {"at": pointer, "type": type}.`,
      );
    assertMembers(reading, value, ['at', 'type'], 'a column');
    const type = value['type'];
    const columnType = columnTypes.find((one) => one === type);
    if (type !== undefined && columnType === undefined)
      refuse(reading, 'type', `A type is one of ${columnTypes.join(', ')}.`);
    return { name, parts: pointer(reading, 'at', value['at'] ?? null), type: columnType };
  });
}

type ReadPaging = { readonly paging: Paging; readonly max: number };

function readPaging(
  reading: Reading,
  pages: ExactJson | undefined,
  rows: readonly string[],
): ReadPaging | undefined {
  if (pages === undefined) return undefined;
  if (!isObject(pages)) refuse(reading, 'pages', `pages must be an object: ${pagingForms}.`);
  assertMembers(reading, pages, ['next', 'cursor', 'parameter', 'start', 'step', 'size', 'max'], 'pages');
  const max = wholeNumber(reading, 'max', pages['max'], { min: 1, max: pagesMax }) ?? pagesMax;
  return { paging: pagingOf(reading, pages, rows), max };
}

const pagingForms =
  '{"next": "/links/next"} or {"next": "Link"}, {"cursor": "/next_cursor", "parameter": "cursor"}, or {"parameter": "page", "start": 1}';

function pagingOf(reading: Reading, pages: Members, rows: readonly string[]): Paging {
  const { next, cursor } = pages;
  if (next !== undefined) {
    assertMembers(reading, pages, ['next', 'max'], 'pages that follow a link');
    return next === 'Link'
      ? { by: 'header' }
      : { by: 'link', parts: besideRows(reading, 'next', next, rows) };
  }
  const { parameter } = pages;
  if (typeof parameter !== 'string' || parameter === '')
    refuse(reading, 'pages', `pages needs the name of a parameter: ${pagingForms}.`);
  if (cursor !== undefined) {
    assertMembers(reading, pages, ['cursor', 'parameter', 'max'], 'pages that follow a cursor');
    return { by: 'cursor', parts: besideRows(reading, 'cursor', cursor, rows), parameter };
  }
  const limits = { min: 0, max: 1_000_000_000 };
  return {
    by: 'count',
    parameter,
    start: wholeNumber(reading, 'start', pages['start'], limits) ?? 1,
    step: wholeNumber(reading, 'step', pages['step'], { ...limits, min: 1 }) ?? 1,
    size: wholeNumber(reading, 'size', pages['size'], { ...limits, min: 1 }),
  };
}

/** Refuses a path to or within the rows: the answer is read once from start to end, and rows are parsed separately. */
function besideRows(
  reading: Reading,
  name: string,
  value: ExactJson,
  rows: readonly string[],
): readonly string[] {
  const parts = pointer(reading, name, value);
  const shared = Math.min(parts.length, rows.length);
  if (parts.slice(0, shared).every((part, index) => part === rows[index]))
    refuse(
      reading,
      name,
      `${name} must stand beside the rows, not within them: say where the rows are in rows.`,
    );
  return parts;
}

function wholeNumber(
  reading: Reading,
  name: string,
  value: ExactJson | undefined,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  if (value === undefined) return undefined;
  const number = value instanceof JsonNumber && /^\d{1,10}$/.test(value.text) ? Number(value.text) : -1;
  if (number < min || number > max)
    refuse(reading, name, `${name} must be a whole number from ${min} to ${max}.`);
  return number;
}
