import { plural } from '@svc/contract/wording';
import { ConnectorError } from '../../error.ts';
import type { HttpAnswer } from '../../http/client.ts';
import { JsonScanner, noJson } from '../../http/json/json-scanner.ts';
import { nextLink } from '../../http/link-header.ts';
import type { ExecuteOptions } from '../../port.ts';
import { refusedBy } from '../errors.ts';
import { addressOf, isTicked, requestHeaders, targetText, withoutKey } from '../request/request.ts';
import type { RetryingGet } from '../request/retries.ts';
import type { RestConnection } from '../settings.ts';
import type { Paging, RestRequest } from '../statement.ts';
import { type ExactJson, JsonNumber, parseExact } from './exact-json.ts';

/** Rows of one page as JSON texts, in the order of their arrival. */
export type PageRows = { readonly page: number; readonly rows: readonly string[] };

type Read = {
  readonly connection: RestConnection;
  readonly request: RestRequest;
  readonly requests: RetryingGet;
  readonly options: Pick<ExecuteOptions, 'maxBytes' | 'maxCellBytes'>;
};

/** A row may have this many times the bytes of one value. */
const rowCells = 4;
const noContent = 204;

/** Requests one page after the other. The limits of the result apply to all pages together. */
export async function* readPages(read: Read): AsyncGenerator<PageRows, void, undefined> {
  const { connection, request, requests } = read;
  const { paging, pagesMax } = request;
  const headers = requestHeaders(connection);
  const requestedUrls = new Set<string>();
  const count: Count = { bytes: 0, rows: 0 };
  let url: URL | undefined = firstAddress(read);
  for (let page = 1; url; page++) {
    if (page > pagesMax) throw tooManyPages(pagesMax);
    if (requestedUrls.has(url.href))
      throw new ConnectorError('statement-failed', `Page ${page} is one that was read before: check pages.`, {
        origin: 'Service',
      });
    requestedUrls.add(url.href);
    const answer = await requests.get({ path: targetText(connection, url), headers });
    if (answer.status < 200 || answer.status > 299)
      throw await refusedBy(answer, connection, requests.note());
    if (answer.status === noContent) return;
    const scanner = new JsonScanner({
      rows: request.rows,
      wanted: paging && 'parts' in paging ? { next: paging.parts } : {},
      maxRowBytes: rowCells * read.options.maxCellBytes,
    });
    const before = count.rows;
    for await (const rows of readBody(answer, scanner, count, read)) yield { page, rows };
    const rowCount = count.rows - before;
    url = paging && nextAddress({ read, paging, answer, scanner, url, page, rowCount });
  }
}

type Count = { bytes: number; rows: number };

async function* readBody(
  { body }: HttpAnswer,
  scanner: JsonScanner,
  count: Count,
  { options: { maxBytes } }: Read,
): AsyncGenerator<readonly string[], void, undefined> {
  for await (const chunk of body) {
    count.bytes += chunk.length;
    if (count.bytes > maxBytes)
      throw new ConnectorError('too-many-bytes', `The result has more than ${plural(maxBytes, 'byte')}.`);
    const rows = scanner.push(chunk);
    count.rows += rows.length;
    if (rows.length > 0) yield rows;
  }
  scanner.end();
}

const tooManyPages = (pagesMax: number): ConnectorError =>
  new ConnectorError(
    'statement-failed',
    `There are more than ${plural(pagesMax, 'page')}: ask for larger ones, or for less. A step reads at most 100; pages may set a lower max.`,
    { origin: 'Service' },
  );

function firstAddress({ connection, request }: Read): URL {
  const { paging, path, query } = request;
  const url = addressOf(connection, path, query);
  if (paging?.by === 'count') url.searchParams.set(paging.parameter, String(paging.start));
  return url;
}

type After = {
  readonly read: Read;
  readonly paging: Paging;
  readonly answer: HttpAnswer;
  readonly scanner: JsonScanner;
  readonly url: URL;
  readonly page: number;
  readonly rowCount: number;
};

/** Returns the address of the next page; undefined for the last one. */
function nextAddress({ read, paging, answer, scanner, url, page, rowCount }: After): URL | undefined {
  if (paging.by === 'count') {
    if (rowCount === 0 || rowCount < (paging.size ?? 0)) return undefined;
    return withParameter(url, paging.parameter, String(paging.start + page * paging.step));
  }
  if (paging.by === 'header') return linked(read, url, nextLink(answer.header('link')));
  const next = textOf(scanner.found('next'));
  if (next === undefined) return undefined;
  return paging.by === 'cursor' ? withParameter(url, paging.parameter, next) : linked(read, url, next);
}

function withParameter(url: URL, name: string, value: string): URL {
  const next = new URL(url.href);
  next.searchParams.set(name, value);
  return next;
}

/** Reads a text or a number. A missing value, `null`, `false` and an empty text mean that no page follows. */
function textOf(json: string | undefined): string | undefined {
  if (json === undefined) return undefined;
  let value: ExactJson;
  try {
    value = parseExact(json);
  } catch {
    throw noJson();
  }
  if (value === null || value === false || value === '') return undefined;
  if (typeof value === 'string') return value;
  if (value instanceof JsonNumber) return value.text;
  throw new ConnectorError(
    'statement-failed',
    'What says where the next page is must be a text or a number.',
    { origin: 'Service' },
  );
}

/** Follows a link only within the same origin, and only to a selected endpoint. */
function linked({ connection }: Read, from: URL, link: string | undefined): URL | undefined {
  if (link === undefined) return undefined;
  const url = URL.canParse(link, from.href) ? new URL(link, from.href) : undefined;
  if (!url || url.origin !== from.origin)
    throw new ConnectorError(
      'statement-failed',
      'The link to the next page leads to another origin, which is not followed.',
    );
  if (!isTicked(connection, url))
    throw new ConnectorError(
      'statement-failed',
      'The link to the next page leads to an endpoint that was not ticked for this data source.',
      { origin: 'Service' },
    );
  url.hash = '';
  return withoutKey(connection, url);
}
