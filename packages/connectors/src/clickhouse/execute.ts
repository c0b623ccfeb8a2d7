import { plural } from '@svc/contract/wording';
import { ConnectorError } from '../error.ts';
import { plainText } from '../http/plain-text.ts';
import type { ExecuteOptions, ResultStream, Statement } from '../port.ts';
import { checkedStatement } from '../sql/read-only-gate.ts';
import type { Batch, Cell, Column } from '../values.ts';
import { clickhouseError, type ErrorContext } from './errors.ts';
import { type Lines, readLines, readRow, readTexts } from './rows.ts';
import { clickhouseRules } from './rules.ts';
import { openSession, type Session } from './session.ts';
import type { ClickhouseConnection } from './settings.ts';
import { assertTypeDepth, type CellReader, cellReader, kindInSession } from './types.ts';

/** Runs one read over HTTP. Resolves when the columns are known. */
export async function executeClickhouse(
  connection: ClickhouseConnection,
  uncheckedStatement: Statement,
  options: ExecuteOptions,
): Promise<ResultStream> {
  const statement = checkedStatement(uncheckedStatement, clickhouseRules);
  const session = await openSession(connection, options);
  try {
    return await startRead(session, statement, options);
  } catch (error) {
    const explained = session.explain(error);
    await session.abandon();
    throw explained;
  }
}

type ReadOptions = Pick<
  ExecuteOptions,
  'maxRows' | 'maxBytes' | 'maxCellBytes' | 'decimalsAsText' | 'wantOrigins'
> & {
  /** The session stays open after the rows, for further requests. Default: the session ends with the rows. */
  readonly keepsSession?: boolean;
};

const columnsMax = 10_000;
/** Longest column name in a message, in characters. */
const nameLengthMax = 100;

/** Runs a statement of a session. The service wrote it, or it has passed the gate. */
export async function startRead(
  session: Session,
  { sql, values }: Statement,
  options: ReadOptions,
): Promise<ResultStream> {
  const answer = await session.ask(sql, values);
  const lines = readLines(answer.body, options);
  const context = { secret: session.secret, sql };
  const { names, types, rest } = await readHead(lines, context);
  if (names.length > columnsMax)
    throw new ConnectorError(
      'statement-failed',
      `The result has more than ${plural(columnsMax, 'column')}.`,
      { origin: 'Service' },
    );
  const columns = names.map((name, index): Column => {
    const databaseType = types[index] ?? '';
    assertTypeDepth(databaseType, () => plainText(session.secret.hide(name), nameLengthMax));
    const kind = kindInSession(databaseType, session.profile);
    // ClickHouse does not report the origins of columns.
    return { name, kind, databaseType, ...(options.wantOrigins ? { origin: null } : {}) };
  });
  const readers = columns.map(({ databaseType, kind }) => cellReader(databaseType, kind, options));
  return {
    columns,
    batches: readBatches({ session, context, first: rest, lines, readers, options }),
    close: session.abandon,
  };
}

type Head = { readonly names: readonly string[]; readonly types: readonly string[]; readonly rest: Lines };

/** Reads the line of names and the line of types, which may arrive in pieces. */
async function readHead(source: AsyncGenerator<Lines>, context: ErrorContext): Promise<Head> {
  const lines: string[] = [];
  while (lines.length < 2) {
    const next = await source.next();
    if (next.done) throw notWhole();
    lines.push(...next.value.lines);
    const isOver = next.value.rest !== undefined;
    if (isOver && lines.length < 2) throw noRow([...lines, next.value.rest ?? ''].join('\n'), context);
  }
  const [names, types] = [readTexts(lines[0]), readTexts(lines[1])];
  if (!names || !types || names.length !== types.length || names.length === 0)
    throw noRow(lines.join('\n'), context);
  return { names, types, rest: { lines: lines.slice(2) } };
}

type Walk = {
  readonly session: Session;
  readonly context: ErrorContext;
  readonly first: Lines;
  readonly lines: AsyncGenerator<Lines>;
  readonly readers: readonly CellReader[];
  readonly options: ReadOptions;
};

const batchRowsMax = 2_000;

async function* readBatches(walk: Walk): AsyncGenerator<Batch, void, undefined> {
  const { session, lines, options } = walk;
  let isWhole = false;
  let rowCount = 0;
  try {
    let next: Lines | undefined = walk.first;
    while (next) {
      for (let from = 0; from < next.lines.length; from += batchRowsMax) {
        const batch = await readBatch(next.lines.slice(from, from + batchRowsMax), walk);
        rowCount += batch.rowCount;
        if (rowCount > options.maxRows)
          throw new ConnectorError(
            'too-many-rows',
            `The result has more than ${plural(options.maxRows, 'row')}.`,
          );
        yield batch;
      }
      // Rows end with a line feed: text after it is an error or an incomplete row.
      if (next.rest !== undefined && next.rest !== '') throw noRow(next.rest, walk.context);
      const following: IteratorResult<Lines, void> = await lines.next();
      next = following.done ? undefined : following.value;
    }
    isWhole = true;
  } catch (error) {
    throw session.explain(error);
  } finally {
    if (!isWhole) void session.abandon();
    else if (!options.keepsSession) await session.finish();
  }
}

async function readBatch(
  rows: readonly string[],
  { readers, options, context, lines }: Walk,
): Promise<Batch> {
  // Each value needs at least one byte and a separator: a shorter line is no row, and needs no space.
  const short = rows.findIndex((line) => line.length <= 2 * readers.length);
  const columns = readers.map(() => new Array<Cell>(short === -1 ? rows.length : short));
  for (const [row, line] of rows.entries()) {
    if (readRow(line, readers, { columns, row })) continue;
    throw noRow([...rows.slice(row), await restOf(lines)].join('\n'), context);
  }
  for (const column of columns) assertSizes(column, options.maxCellBytes);
  return { rowCount: rows.length, columns };
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

const errorPiecesMax = 8;
const errorLengthMax = 131_072;

/** Reads the remaining lines: an error in the middle of the rows is the last text of the server. */
async function restOf(lines: AsyncGenerator<Lines>): Promise<string> {
  const texts: string[] = [];
  try {
    let length = 0;
    for (let remaining = errorPiecesMax; remaining > 0 && length < errorLengthMax; remaining--) {
      const next = await lines.next();
      if (next.done) break;
      for (const line of [...next.value.lines, next.value.rest ?? '']) {
        texts.push(line);
        length += line.length;
      }
    }
  } catch {
    // The server closes the connection after its error. The text so far is complete.
  }
  return texts.join('\n');
}

const noRow = (text: string, context: ErrorContext): ConnectorError =>
  clickhouseError(text, context) ?? notWhole();

const notWhole = (): ConnectorError =>
  new ConnectorError('connection-lost', 'The server’s response is incomplete or contains an invalid row.');
