import { isProblemCode, type ProblemCode, problemEntry } from '@svc/contract';
import { RunSqlRefusal } from '../../../doors/run-sql/index.ts';
import { HttpProblem } from '../../../platform/http/index.ts';
import { plainText } from '../../../platform/text/index.ts';

/** Why a tool gave no answer. The message says what is special about the case; it never holds data. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal';
  readonly code: ProblemCode;

  constructor(code: ProblemCode, message: string) {
    super(message);
    this.code = code;
  }
}

const messageLengthMax = 1_000;

/** Codes whose whole text the specification fixes (ID-7: no usable project, a project that a caller may not use). */
const fixedTexts: ReadonlySet<ProblemCode> = new Set(['no-project', 'project-denied']);

/** What happened, and what the table of codes says to do next: a model reads no documentation. */
const withNext = (code: string, text: string): string =>
  !isProblemCode(code) || fixedTexts.has(code) ? text : `${text} ${problemEntry(code).next}`;

/** What is told of an error, and under which code it is audited; undefined for one that nobody expected. */
export function refusalOf(error: unknown): { code: string; text: string } | undefined {
  const told = (code: string, text: string) => ({ code, text: withNext(code, text) });
  if (error instanceof ToolRefusal) return told(error.code, error.message);
  if (error instanceof RunSqlRefusal) return told(error.code, aboutStatement(error));
  if (error instanceof HttpProblem && error.status < 500)
    return told(error.code ?? String(error.status), plainText(error.detail ?? error.title));
  return undefined;
}

/** A refusal of the run-SQL gateway, whose words hold no value of a row. */
export function aboutStatement(refusal: RunSqlRefusal): string {
  const { position, hint, retryAfterSeconds } = refusal;
  const said = refusal.message.slice(0, messageLengthMax);
  const at = position ? ` (line ${position.line}, column ${position.column})` : '';
  const more = hint === undefined ? '' : ` ${hint}`;
  const wait = retryAfterSeconds === undefined ? '' : ` Try again in ${Math.ceil(retryAfterSeconds)} s.`;
  return plainText(`${said}${at}${more}${wait}`);
}
