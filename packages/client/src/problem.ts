import type { Problem, ProblemCode } from './schemas.generated.ts';

/** A refusal of the service: what it answers with a status of 300 or above. */
export class SvcProblem extends Error {
  override readonly name = 'SvcProblem';
  readonly status: number;
  /** A stable word for programs; undefined for an answer that is not the service's own, such as a proxy's. */
  readonly code: ProblemCode | (string & {}) | undefined;
  /** What is wrong with which members of the input. */
  readonly errors: NonNullable<Problem['errors']>;
  /** Names the request in the service's log. */
  readonly traceId: string | undefined;
  /** Seconds to wait before the next attempt, where the answer said so. */
  readonly retryAfterSeconds: number | undefined;
  /** The whole answer. */
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

  /** What is wrong with the input, by the member's path (`/steps/0/sql`) or the parameter's name. */
  get errorsByField(): Readonly<Record<string, readonly string[]>> {
    const byField = Object.groupBy(this.errors, ({ path }) => path);
    return Object.fromEntries(
      Object.entries(byField).map(([path, errors = []]) => [path, errors.map(({ message }) => message)]),
    );
  }
}

/** No answer came: the service is away, the connection broke, or the time ran out. */
export class SvcConnectionError extends Error {
  override readonly name = 'SvcConnectionError';
  /** True when the call took longer than its `timeoutMs`. */
  readonly isTimeout: boolean;

  constructor(message: string, options: { readonly cause: unknown; readonly isTimeout?: boolean }) {
    super(message, { cause: options.cause });
    this.isTimeout = options.isTimeout ?? false;
  }
}

/** Seconds that `Retry-After` names, as a number or as a date; undefined where it names none. */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

/** Reads a refusal. An answer that is no problem document (a proxy's page) becomes one from its status. */
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
