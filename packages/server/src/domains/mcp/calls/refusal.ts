import { isProblemCode, type ProblemCode, problemEntry } from '@svc/contract';
import { RunSqlRefusal } from '../../../gateways/run-sql/index.ts';
import { HttpProblem } from '../../../platform/http/index.ts';
import { plainText } from '../../../platform/text/index.ts';

/** Refusal of a tool call. The message states the specific reason and never contains data. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal';
  readonly code: ProblemCode;

  constructor(code: ProblemCode, message: string) {
    super(message);
    this.code = code;
  }
}

const messageLengthMax = 1_000;

/**
 * Codes whose complete text the specification defines (ID-7: no usable project, a project that a caller may not use).
 */
const fixedTexts: ReadonlySet<ProblemCode> = new Set(['no-project', 'project-denied']);

/** Appends the next step from the table of problem codes, because a model reads no documentation. */
const withNext = (code: string, text: string): string =>
  !isProblemCode(code) || fixedTexts.has(code) ? text : `${text} ${problemEntry(code).next}`;

/** Returns the code and the text for the client and the audit; undefined for an unexpected error. */
export function refusalOf(error: unknown): { code: string; text: string } | undefined {
  const refusal = (code: string, text: string) => ({ code, text: withNext(code, text) });
  if (error instanceof ToolRefusal) return refusal(error.code, error.message);
  if (error instanceof RunSqlRefusal) return refusal(error.code, aboutStatement(error));
  if (error instanceof HttpProblem && error.status < 500)
    return refusal(error.code ?? String(error.status), plainText(error.detail ?? error.title));
  return undefined;
}

/** Formats a refusal of the run-SQL gateway. Its text contains no value of a row. */
export function aboutStatement(refusal: RunSqlRefusal): string {
  const { position, hint, retryAfterSeconds } = refusal;
  const message = refusal.message.slice(0, messageLengthMax);
  const at = position ? ` (line ${position.line}, column ${position.column})` : '';
  const more = hint === undefined ? '' : ` ${hint}`;
  const wait = retryAfterSeconds === undefined ? '' : ` Try again in ${Math.ceil(retryAfterSeconds)} s.`;
  return plainText(`${message}${at}${more}${wait}`);
}
