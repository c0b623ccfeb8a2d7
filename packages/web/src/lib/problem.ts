import type { Problem, ProblemCode } from '@svc/contract';
import { words } from './format.ts';

/** Error for a refusal of the service, or for a failure to reach it. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;
  /** Seconds to wait, if the response states them. */
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: Problem, retryAfterSeconds?: number) {
    super(problem.detail ?? problem.title);
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Returns true for a refusal of the service with this code. */
export const isRefusal = (error: unknown, code: ProblemCode): boolean =>
  error instanceof ProblemError && hasCode(error.problem, code);

export const hasCode = (problem: Problem, code: ProblemCode): boolean => problem.code === code;

/** Codes of failures that the pages detect. The service never returns them. */
export const pageCodes = { unreachable: 'unreachable', pageFailed: 'page-failed' } as const;

/** Returns the error for a service that did not respond. */
export const unreachable = (): ProblemError =>
  new ProblemError({
    type: 'about:blank',
    title: 'The service is not responding',
    status: 503,
    code: pageCodes.unreachable,
    detail: 'Check the network connection, or whether the service is running, then try again.',
  });

/** Returns true if the browser could not load code of the page. Each browser has its own message for this error. */
export const isCodeMissing = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|Importing a module script failed|Unable to preload CSS/.test(error.message);

/** Returns the service's message about a part of a request as a sentence. */
export const sentence = (text: string): string => {
  const calm = text
    .replace('must NOT ', 'must not ')
    .replace('must be >= ', 'must be at least ')
    .replace('must be <= ', 'must be at most ')
    .replace('must be integer', 'must be a whole number');
  return `${calm.charAt(0).toUpperCase()}${calm.slice(1)}${/[.!?]$/.test(calm) ? '' : '.'}`;
};

/** Returns true for the refusal of a request whose session has ended. */
export const isSignedOut = (problem: Problem): boolean =>
  problem.status === 401 && hasCode(problem, 'unauthorized');

/** Adds a message to a bare 401, because the service's response explains no next step. */
const inWords = (problem: Problem): Problem =>
  isSignedOut(problem) && problem.detail === undefined
    ? {
        ...problem,
        title: 'You are signed out',
        detail: 'Your session has ended. Sign in again, then repeat what you did.',
      }
    : problem;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads a refusal. Converts a response without a problem document, such as a proxy's page, by its status. */
export async function readProblem(response: Response): Promise<ProblemError> {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const seconds = Number.isFinite(retryAfter) ? retryAfter : undefined;
  const traceId = response.headers.get('trace-id') ?? undefined;
  const body: unknown = await response.json().catch(() => null);
  const status = Math.min(599, Math.max(400, response.status));
  if (isRecord(body) && typeof body['title'] === 'string') {
    // The body of some refusals must not distinguish missing records, so the trace id is only in the header.
    return new ProblemError(
      inWords({ ...(traceId !== undefined && { traceId }), ...(body as Problem), status }),
      seconds,
    );
  }
  const fallback = { type: 'about:blank', title: response.statusText || `Status ${status}`, status };
  return new ProblemError(traceId === undefined ? fallback : { ...fallback, traceId }, seconds);
}

/** Converts any thrown value to a problem. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  if (isCodeMissing(error)) return unreachable().problem;
  return {
    type: 'about:blank',
    title: 'This page failed',
    status: 500,
    code: pageCodes.pageFailed,
    detail: error instanceof Error ? error.message : String(error),
  };
}

/** Headings by title of a status, for responses without a problem code, such as those of proxies. */
const headings: Readonly<Record<string, string>> = {
  'Bad Request': 'Not accepted',
  'Unprocessable Content': 'Not accepted',
  Forbidden: 'Not allowed',
  'Not Found': 'Not found',
  Conflict: 'Not possible as it is',
  'Precondition Failed': 'Changed meanwhile',
  'Content Too Large': 'Too much at once',
  'Too Many Requests': 'Too many requests',
  'Internal Server Error': 'Something went wrong',
  'Service Unavailable': 'The service cannot answer now',
};

/** Returns the heading of a refusal. Titles come from the table of problem codes. */
export const headingOf = ({ title }: Problem): string => headings[title] ?? title;

/** Describes the service's errors of a request, with a readable name of each part. */
export function partsInWords({ errors = [] }: Problem): string {
  return errors
    .map(({ path, message }) => {
      const part = path
        .split('/')
        .filter((segment) => segment !== '')
        .map((segment) =>
          /^\d+$/.test(segment) ? String(Number(segment) + 1) : words(segment).toLowerCase(),
        )
        .join(' ');
      return sentence(`${part} ${message}`.trim());
    })
    .join(' ');
}

/** Returns the error for an address without a record. */
export const notFoundProblem = (): ProblemError =>
  new ProblemError({
    type: 'about:blank',
    title: 'Not Found',
    status: 404,
    detail: 'There is no such thing here, or you may not see it.',
  });
