import { type HttpProblemCode, type ProblemCodeOf, problemCodes, problemType } from '@svc/contract';
import { HttpProblem, type MemberError } from './http-problem.ts';

/**
 * An expected refusal: thrown anywhere below a route, mapped once to a problem. Status, title and type come from
 * the table of codes. `detail` states the specifics of this case.
 */
export class Refusal extends HttpProblem {
  override readonly name: string = 'Refusal';

  constructor(
    code: HttpProblemCode,
    options: {
      readonly detail?: string;
      /** Replaces the title of the table, if it names the subject of this case. */
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

/** Returns a 400: the input is invalid; `errors` names the members. */
export const badRequest = (
  code: ProblemCodeOf<400>,
  detail: string,
  errors?: readonly MemberError[],
): Refusal => new Refusal(code, { detail, ...(errors && { errors }) });

/** Returns a 401 without a credential, or with a wrong name or password if `detail` states so. */
export const unauthorized = (detail?: string, code: ProblemCodeOf<401> = 'unauthorized'): Refusal =>
  new Refusal(code, {
    ...(detail !== undefined && { detail }),
    headers: { 'www-authenticate': 'Bearer' },
  });

/** Returns a 401 for an invalid key or token (RFC 6750). */
export const badCredential = (code: ProblemCodeOf<401>, detail: string): Refusal =>
  new Refusal(code, { detail, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } });

/** Returns a 403: authenticated, but not permitted. */
export const forbidden = (code: ProblemCodeOf<403>, detail: string): Refusal => new Refusal(code, { detail });

/** Returns a 404: missing, or in a project that the caller cannot read. The response is always the same. */
export const notFound = (): Refusal =>
  new Refusal('not-found', { detail: 'There is no such thing here, or you may not see it.' });

/** Returns a 409: the change conflicts with another change or with a state; `errors` names the conflicting members. */
export const conflict = (
  code: ProblemCodeOf<409>,
  detail: string,
  errors?: readonly MemberError[],
): Refusal => new Refusal(code, { detail, ...(errors && { errors }) });

/** Returns a 409 for a setting that configuration locks. */
export const settingLocked = (setting: string, detail: string): Refusal =>
  new Refusal('setting-locked', { title: `The setting ${setting} is locked`, detail });

/** Returns a 412: the record changed after it was read. */
export const changedMeanwhile = (): Refusal =>
  new Refusal('changed-meanwhile', {
    detail: 'Somebody changed this since you read it. Load it again and repeat your change.',
  });

/** Returns a 429 with `Retry-After`. */
export const tooManyRequests = (detail: string, retryAfterSeconds: number): Refusal =>
  new Refusal('too-many-requests', {
    detail,
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  });

/** Returns a 503: temporarily unavailable. */
export const unavailable = (detail: string): Refusal =>
  new Refusal('unavailable', { detail, headers: { 'retry-after': '5' } });
