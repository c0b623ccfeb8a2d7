import { RunSqlRefusal } from '../../../doors/run-sql/index.ts';
import { Refusal } from '../../../platform/http/index.ts';
import { plainText } from '../context/framing.ts';

/** Why a tool gave no answer. The text is for a model, so it says what to do next; it never holds data. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const messageLengthMax = 1_000;

/** What is told of an error, and under which code it is audited; undefined for one that nobody expected. */
export function refusalOf(
  error: unknown,
  statement: string | undefined,
): { code: string; text: string } | undefined {
  if (error instanceof ToolRefusal) return { code: error.code, text: error.message };
  if (error instanceof RunSqlRefusal)
    return { code: error.code, text: aboutStatement(error, statement ?? '') };
  if (error instanceof Refusal && error.status < 500)
    return { code: error.code ?? String(error.status), text: plainText(error.detail ?? error.title) };
  return undefined;
}

/**
 * A refusal of the run-SQL door. The engine's own words may repeat a value of a row (`invalid input syntax for type
 * integer: "…"`), so what they quote is left out unless it stands in the statement itself.
 */
export function aboutStatement(refusal: RunSqlRefusal, statement: string): string {
  const { position, hint, retryAfterSeconds } = refusal;
  const said = withoutForeignQuotes(refusal.message, statement).slice(0, messageLengthMax);
  const at = position ? ` (line ${position.line}, column ${position.column})` : '';
  const more = hint === undefined ? '' : ` ${withoutForeignQuotes(hint, statement)}`;
  const wait = retryAfterSeconds === undefined ? '' : ` Try again in ${Math.ceil(retryAfterSeconds)} s.`;
  return plainText(`${said}${at}${more}${wait}`);
}

function withoutForeignQuotes(message: string, statement: string): string {
  const known = statement.toLowerCase();
  const keep = (whole: string, inner: string) => (known.includes(inner.toLowerCase()) ? whole : '"***"');
  return message.replaceAll(/"([^"]*)"/g, keep).replaceAll(/'([^']*)'/g, keep);
}
