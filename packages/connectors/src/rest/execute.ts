import { plural } from '@svc/contract/wording';
import { type Deadline, startDeadline } from '../deadline.ts';
import { ConnectorError } from '../error.ts';
import { type HttpClient, openHttpClient } from '../http/client.ts';
import { noJson } from '../http/json/json-scanner.ts';
import type { CallOptions, ExecuteOptions, ResultStream, Statement } from '../port.ts';
import type { Batch, Cell } from '../values.ts';
import { makeColumns, type RestColumns, readCells } from './answer/columns.ts';
import { type ExactJson, parseExact } from './answer/exact-json.ts';
import { type PageRows, readPages } from './answer/pages.ts';
import { connectionError } from './errors.ts';
import { hideInRow, secretOf } from './hidden-secrets.ts';
import { parseOpenApi } from './openapi.ts';
import { retryingGet } from './request/retries.ts';
import { type RestConnection, targetOf } from './settings.ts';
import { type RestRequest, readRequest } from './statement.ts';

/** One call to an API. It uses its own connection, which ends with the call. */
export type Session = {
  readonly client: HttpClient;
  readonly deadline: Deadline;
  readonly explain: (error: unknown) => ConnectorError;
  /** May be called at any time, and never rejects. */
  readonly end: () => Promise<void>;
};

export async function openSession(
  connection: RestConnection,
  options: Pick<CallOptions, 'dial' | 'signal' | 'timeoutMs'>,
): Promise<Session> {
  const deadline = startDeadline(options);
  const client = await openHttpClient(targetOf(connection), { dial: options.dial, signal: deadline.signal });
  const end = async (): Promise<void> => {
    deadline.signal.removeEventListener('abort', onAbort);
    deadline.dispose();
    await client.close();
  };
  // Ends immediately, even if no caller is reading rows.
  const onAbort = () => void end();
  deadline.signal.addEventListener('abort', onAbort, { once: true });
  return {
    client,
    deadline,
    end,
    explain: (error) => deadline.reason() ?? connectionError(error, connection),
  };
}

/** Reads an endpoint page by page. Resolves when the columns are known. */
export async function executeRest(
  connection: RestConnection,
  statement: Statement,
  options: ExecuteOptions,
): Promise<ResultStream> {
  const request = readRequest(statement, connection);
  const session = await openSession(connection, options);
  const requests = retryingGet({ ...session, noteRetry: options.noteRetry });
  const pages = readPages({ connection, request, requests, options });
  const parse = rowParser(connection);
  try {
    const first = await readFirst(pages, parse);
    const columns = makeColumns(first.rows, {
      ...options,
      described: describedOf(connection, request),
      named: request.columns,
      rows: request.rows,
      secret: secretOf(connection),
    });
    return {
      columns: columns.list.map(({ column }) => column),
      batches: readBatches({ session, pages, columns, first, parse, options }),
      close: session.end,
    };
  } catch (error) {
    const explained = session.explain(error);
    await session.end();
    throw explained;
  }
}

const describedOf = ({ openApi }: RestConnection, { endpoint }: RestRequest) =>
  (openApi === undefined ? undefined : parseOpenApi(openApi))?.operations.get(endpoint)?.columns ?? [];

/** Largest number of rows from which the columns are derived. All of them are from one page. */
const firstRowsMax = 1_000;

type First = { readonly rows: readonly ExactJson[]; readonly next: PageRows | undefined };

async function readFirst(pages: AsyncGenerator<PageRows>, parse: ParseRow): Promise<First> {
  const rows: ExactJson[] = [];
  let page: number | undefined;
  for (;;) {
    const following = await pages.next();
    if (following.done) return { rows, next: undefined };
    const next = following.value;
    if (rows.length > 0 && (rows.length >= firstRowsMax || next.page !== page)) return { rows, next };
    page = next.page;
    // Stops at exactly this number, regardless of the pieces in which the answer arrived.
    const remaining = firstRowsMax - rows.length;
    for (const text of next.rows.slice(0, remaining)) rows.push(parse(text));
    if (next.rows.length > remaining) return { rows, next: { page, rows: next.rows.slice(remaining) } };
  }
}

type ParseRow = (text: string) => ExactJson;

function rowParser(connection: RestConnection): ParseRow {
  const hide = hideInRow(connection);
  return (text) => {
    let row: ExactJson;
    try {
      row = parseExact(text);
    } catch {
      throw noJson();
    }
    return hide(row);
  };
}

type Walk = {
  readonly session: Session;
  readonly pages: AsyncGenerator<PageRows>;
  readonly columns: RestColumns;
  readonly first: First;
  readonly parse: ParseRow;
  readonly options: ExecuteOptions;
};

const batchRowsMax = 2_000;

async function* readBatches(walk: Walk): AsyncGenerator<Batch, void, undefined> {
  const { session, options, first } = walk;
  const rowsWanted = options.rowsWanted ?? Number.POSITIVE_INFINITY;
  let rowCount = 0;
  try {
    for await (const rows of pieces(walk, first)) {
      const batch = readBatch(rows, walk, rowCount);
      rowCount += batch.rowCount;
      if (rowCount > options.maxRows)
        throw new ConnectorError(
          'too-many-rows',
          `The result has more than ${plural(options.maxRows, 'row')}.`,
        );
      if (batch.rowCount > 0) yield batch;
      // The row after the requested ones shows that the result has more rows.
      if (rowCount > rowsWanted) return;
    }
  } catch (error) {
    throw session.explain(error);
  } finally {
    await session.end();
  }
}

/** Yields the rows in their order, in pieces of bounded size. */
async function* pieces(
  { pages, parse }: Walk,
  first: First,
): AsyncGenerator<readonly ExactJson[], void, undefined> {
  for (let from = 0; from < first.rows.length; from += batchRowsMax)
    yield first.rows.slice(from, from + batchRowsMax);
  let next = first.next;
  while (next) {
    for (let from = 0; from < next.rows.length; from += batchRowsMax)
      yield next.rows.slice(from, from + batchRowsMax).map(parse);
    const following: IteratorResult<PageRows, void> = await pages.next();
    next = following.done ? undefined : following.value;
  }
}

function readBatch(rows: readonly ExactJson[], { columns, options }: Walk, before: number): Batch {
  const cells = columns.list.map((): Cell[] => []);
  for (const [index, row] of rows.entries()) readCells(row, columns, cells, before + index + 1);
  for (const column of cells) assertSizes(column, options.maxCellBytes);
  return { rowCount: rows.length, columns: cells };
}

function assertSizes(cells: readonly Cell[], maxCellBytes: number): void {
  for (const cell of cells) {
    if (typeof cell === 'string' && cell.length > maxCellBytes)
      throw new ConnectorError(
        'value-too-large',
        `A value of the result has more than ${plural(maxCellBytes, 'byte')}.`,
      );
  }
}
