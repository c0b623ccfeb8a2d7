import type { Problem, ProblemCode } from './schemas.generated.ts';

/** A refusal of the service: a response with a status of 300 or above. */
export class SvcProblem extends Error {
  override readonly name = 'SvcProblem';
  readonly status: number;
  /** Stable code for programs; undefined for a response from another server, such as a proxy. */
  readonly code: ProblemCode | (string & {}) | undefined;
  /** Errors of single input members. */
  readonly errors: NonNullable<Problem['errors']>;
  /** Identifies the request in the service's log. */
  readonly traceId: string | undefined;
  /** Seconds until the next attempt, if the response names a delay. */
  readonly retryAfterSeconds: number | undefined;
  /** The complete problem document. */
  readonly problem: Problem;

  constructor(problem: Problem, retryAfterSeconds?: number) {
    super(problem.detail ?? problem.title);
    this.problem = problem;
    this.status = problem.status;
    this.code = problem.code;
    this.errors = problem.errors ?? [];
    this.traceId = problem.traceId;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Returns the errors of the input by member path (`/steps/0/sql`) or parameter name. */
  get errorsByField(): Readonly<Record<string, readonly string[]>> {
    const byField = Object.groupBy(this.errors, ({ path }) => path);
    return Object.fromEntries(
      Object.entries(byField).map(([path, errors = []]) => [path, errors.map(({ message }) => message)]),
    );
  }
}

/** No response: the service is unavailable, the connection broke, or the call timed out. */
export class SvcConnectionError extends Error {
  override readonly name = 'SvcConnectionError';
  /** True if the call exceeded its `timeoutMs`. */
  readonly isTimeout: boolean;

  constructor(message: string, options: { readonly cause: unknown; readonly isTimeout?: boolean }) {
    super(message, { cause: options.cause });
    this.isTimeout = options.isTimeout ?? false;
  }
}

/** Returns the seconds of `Retry-After`, given as a number or as a date; undefined without a valid value. */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

/** Reads a refusal. A response that is not a problem document (a proxy's page) becomes a problem of its status. */
export async function readProblem(response: Response): Promise<SvcProblem> {
  const retryAfter = retryAfterOf(response.headers, Date.now());
  const body: unknown = await response.json().catch(() => undefined);
  const traceId = response.headers.get('trace-id');
  const { status, statusText } = response;
  const isProblem = typeof body === 'object' && body !== null && 'title' in body;
  const problem = isProblem
    ? (body as Problem)
    : { type: 'about:blank', title: statusText || `Status ${status}`, status };
  return new SvcProblem({ ...(traceId !== null && { traceId }), ...problem, status }, retryAfter);
}
