import { ConnectorError, type ConnectorErrorCode, positionAt } from '../error.ts';
import { withoutProposals } from './files/database-table.ts';
import { refusalIn } from './files/file-refusals.ts';

const codes: readonly [RegExp, ConnectorErrorCode][] = [
  [/^(Out of Memory|OutOfMemory)/, 'out-of-memory'],
  [/^Permission Error/, 'permission-denied'],
  [/^IO Error/, 'file-unreadable'],
];

/** Replaces the text of the engine, which proposes settings that no user can change. */
const outOfMemory =
  'The statement, or the detection of the types of a file, needs more memory than the service allows. Read fewer rows or columns, save a large file as Parquet, or run it when fewer queries run.';

/** `Prepare` ends before the statement reads a row. */
export type DuckdbPhase = 'Prepare' | 'Execute';

/** Errors of names and grammar. Other errors in the phase `Prepare` may contain lines of a file. */
const textErrors = /^(?:Parser|Binder|Catalog|Permission|Not implemented) Error: /;

/** Converts an error of DuckDB. Its message omits the binding's prefix and the drawing of the position. */
export function duckdbError(error: unknown, sql?: string, phase: DuckdbPhase = 'Execute'): ConnectorError {
  if (error instanceof ConnectorError) return error;
  const text = (error instanceof Error ? error.message : String(error)).replace(
    /^Failed to extract statements: /,
    '',
  );
  const refusal = refusalIn(text);
  if (refusal !== undefined)
    return new ConnectorError('file-unreadable', refusal, { origin: 'Service', cause: error });
  const drawing = /\n+LINE (\d+): (.*)\n( *)\^[\s\S]*$/.exec(text);
  const code = codes.find(([pattern]) => pattern.test(text))?.[1] ?? 'statement-failed';
  const message =
    code === 'out-of-memory' ? outOfMemory : withoutProposals(drawing ? text.slice(0, drawing.index) : text);
  const position = drawing && sql !== undefined ? placeOf(sql, drawing) : undefined;
  const isOfText = phase === 'Prepare' && textErrors.test(text);
  return new ConnectorError(code, message, {
    ...(position ? { position } : {}),
    origin: isOfText ? 'StatementText' : 'Execution',
    cause: error,
  });
}

/**
 * Returns the position in the drawing of an error. The drawing contains a piece of the line, with dots at a cut end, and a
 * caret below the position.
 */
function placeOf(sql: string, drawing: RegExpExecArray) {
  const [, lineNumber = '1', shown = '', indent = ''] = drawing;
  const before = sql.split('\n').slice(0, Number(lineNumber) - 1);
  const lineStart = before.join('\n').length + (before.length > 0 ? 1 : 0);
  const isCut = shown.startsWith('...');
  const piece = isCut ? shown.slice(3) : shown;
  const caret = indent.length - `LINE ${lineNumber}: `.length - (isCut ? 3 : 0);
  const at = sql.indexOf(piece.replace(/\.\.\.$/, ''), lineStart);
  return positionAt(sql, (at === -1 ? lineStart : at) + Math.max(0, caret));
}
