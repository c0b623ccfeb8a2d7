import { plural } from '@svc/contract/wording';
import { copyOut } from '@svc/pg-wire';
import type pg from 'pg';
import { ConnectorError } from '../../error.ts';
import type { ExecuteOptions, PassThroughRead, PassThroughTake, Statement } from '../../port.ts';
import { postgresqlDialect } from '../../sql/dialects.ts';
import { readSqlTokens, tokenText } from '../../sql/lexer.ts';
import type { Session } from '../connection/session.ts';
import { checkRead } from '../gate/checked-read.ts';
import type { PostgresqlConnection } from '../settings.ts';
import { type ExecuteDeps, prepare, sessionOptions } from './prepare.ts';

/** First words of statements that `COPY` accepts. It accepts no bound values. */
const firstWords = new Set(['select', 'with', 'values', 'table']);
/** A row may have this many times the bytes of its largest value. */
const rowToCellFactor = 4;

/**
 * Prepares one read for `COPY ... TO STDOUT`, in the same read-only transaction as any other read. The text is parsed
 * alone before it becomes part of the `COPY` statement.
 */
export async function readPassThrough(
  connection: PostgresqlConnection,
  statement: Statement,
  options: ExecuteOptions,
  deps: ExecuteDeps,
): Promise<PassThroughRead | undefined> {
  await checkRead(statement.sql);
  const text = textForCopy(statement);
  if (text === undefined) return undefined;
  const { session, fields } = await prepare(connection, statement, sessionOptions(options, deps));
  return {
    types: fields.map(({ dataTypeID, dataTypeModifier }) => ({
      typeOid: dataTypeID,
      typeModifier: dataTypeModifier,
    })),
    pass: (form, columns, take) =>
      pass(session, `${copyOf(text, fields, columns)} (format ${form})`, take, options),
    close: session.abandon,
  };
}

/** Returns the statement without its semicolon; undefined for a statement that `COPY` does not accept. */
function textForCopy({ sql, values = [] }: Statement): string | undefined {
  const tokens = readSqlTokens(sql, postgresqlDialect).filter(({ kind }) => kind !== 'comment');
  const textOf = (token: (typeof tokens)[number]) => tokenText(sql, token).toLowerCase();
  const first = tokens.find((token) => textOf(token) !== '(');
  if (values.length > 0 || !first || !firstWords.has(textOf(first))) return undefined;
  const end = tokens.find((token) => token.kind === 'symbol' && textOf(token) === ';');
  return end ? sql.slice(0, end.start) : sql;
}

/** Writes the text on separate lines, because it may end in a comment. */
function copyOf(text: string, fields: readonly pg.FieldDef[], columns: readonly number[]): string {
  const isWhole = columns.length === fields.length && columns.every((column, at) => column === at);
  const names = columns.map((column) => postgresqlDialect.quote(fields[column]?.name ?? ''));
  const rows = isWhole ? text : `select ${names.join(', ')} from (${text}\n) svc_source`;
  return `copy (${rows}\n) to stdout`;
}

async function pass(
  session: Session,
  text: string,
  take: PassThroughTake,
  { maxCellBytes }: ExecuteOptions,
): Promise<number | undefined> {
  // Marks a stop or failure of `take`, as opposed to an error of the source.
  const stopped = new Stopped();
  try {
    const rows = await copyOut(session.client, text, {
      frameBytesMax: maxCellBytes * rowToCellFactor,
      onTooLarge: (bytes) => {
        throw new ConnectorError(
          'value-too-large',
          `A row of the result has ${plural(bytes, 'byte')}, which is too many.`,
        );
      },
      onFrames: (frames, begun) => {
        const isMoreWanted = take(frames, begun);
        if (isMoreWanted === true) return undefined;
        return stopped.unless(isMoreWanted);
      },
    });
    await session.finish();
    return rows;
  } catch (error) {
    const explained = error instanceof ConnectorError ? error : session.explain(error);
    await session.abandon();
    if (error !== stopped) throw explained;
    if (stopped.cause !== undefined) throw stopped.cause;
    return undefined;
  }
}

/** Error for a stop by `take`. A failure of `take` is its cause. */
class Stopped extends Error {
  override readonly name = 'Stopped';

  async unless(answer: Promise<boolean> | boolean): Promise<void> {
    const isMoreWanted = await Promise.resolve(answer).catch((error: unknown) => {
      this.cause = error;
      return false;
    });
    if (!isMoreWanted) throw this;
  }
}
