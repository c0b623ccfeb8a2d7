import { type HttpProblemCode, type ProblemCodeOf, problemCodes, problemType } from '@svc/contract';
import { HttpProblem, type MemberError } from './http-problem.ts';

/**
 * An expected refusal: thrown anywhere below a route, mapped once to a problem. Status, title and type come from the
 * table of codes; `detail` says what is special about this case.
 */
export class Refusal extends HttpProblem {
  override readonly name: string = 'Refusal';

  constructor(
    code: HttpProblemCode,
    options: {
      readonly detail?: string;
      /** In place of the title of the table, where it names what this case is about. */
      readonly title?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly errors?: readonly MemberError[];
      readonly remedy?: string;
    } = {},
  ) {
    const { status, title } = problemCodes[code];
    super(status, { title, ...options, code, type: problemType(code) });
  }
}

/** 400: the input is wrong; `errors` names the members. */
export const badRequest = (
  code: ProblemCodeOf<400>,
  detail: string,
  errors?: readonly MemberError[],
): Refusal => new Refusal(code, { detail, ...(errors && { errors }) });

/** 401 without a credential, or with a bad name or password when `detail` says so. */
export const unauthorized = (detail?: string, code: ProblemCodeOf<401> = 'unauthorized'): Refusal =>
  new Refusal(code, {
    ...(detail !== undefined && { detail }),
    headers: { 'www-authenticate': 'Bearer' },
  });

/** 401 for a key or a token that was sent and does not count (RFC 6750). */
export const badCredential = (code: ProblemCodeOf<401>, detail: string): Refusal =>
  new Refusal(code, { detail, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } });

/** 403: known, but may not. */
export const forbidden = (code: ProblemCodeOf<403>, detail: string): Refusal => new Refusal(code, { detail });

/** 404: missing, or in a project that the caller cannot read. Always the same answer. */
export const notFound = (): Refusal =>
  new Refusal('not-found', { detail: 'There is no such thing here, or you may not see it.' });

/** 409: the change collides with another or with a state; `errors` names the members that do. */
export const conflict = (
  code: ProblemCodeOf<409>,
  detail: string,
  errors?: readonly MemberError[],
): Refusal => new Refusal(code, { detail, ...(errors && { errors }) });

/** 409 for a setting that configuration locks. */
export const settingLocked = (setting: string, detail: string): Refusal =>
  new Refusal('setting-locked', { title: `The setting ${setting} is locked`, detail });

/** 412: the record changed since it was read. */
export const changedMeanwhile = (): Refusal =>
  new Refusal('changed-meanwhile', {
    detail: 'Somebody changed this since you read it. Load it again and repeat your change.',
  });

/** 429 with `Retry-After`. */
export const tooManyRequests = (detail: string, retryAfterSeconds: number): Refusal =>
  new Refusal('too-many-requests', {
    detail,
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  });

/** 503: try again later. */
export const unavailable = (detail: string): Refusal =>
  new Refusal('unavailable', { detail, headers: { 'retry-after': '5' } });
