import type { Problem } from '@svc/contract';
import { isDatabaseAway } from '../db/index.ts';
import { Refusal, titles } from './refusal.ts';

/** Maps an error that is no refusal, e.g. one of the host's own kinds; undefined: not known here. */
export type ErrorMapping = (error: unknown) => Refusal | undefined;

type FrameworkError = Error & {
  code?: string;
  statusCode?: number;
  validation?: readonly ValidationError[];
  validationContext?: string;
};
type ValidationError = {
  instancePath: string;
  message?: string;
  keyword?: string;
  params?: Record<string, unknown>;
};

const frameworkDetails: Readonly<Record<string, string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'The request body is too large.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'Send the body as application/json.',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The body is empty, though its content type is application/json.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not valid JSON.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The body is not as long as its Content-Length says.',
  FST_ERR_BAD_URL: 'The path is not a valid URL.',
};

/**
 * The one place where an error becomes a refusal. Order: refusals themselves, what the
 * framework found wrong with the request, the host's mapping, a database that is away, and last an unknown error: a bland 500.
 *
 * @returns the refusal, and whether the error is to be logged with its cause.
 */
export function toRefusal(
  error: unknown,
  mapping: ErrorMapping | undefined,
): { refusal: Refusal; isUnexpected: boolean } {
  if (error instanceof Refusal) return { refusal: error, isUnexpected: false };
  const known = fromFramework(error);
  if (known) return { refusal: known, isUnexpected: false };
  const mapped = mapping?.(error);
  if (mapped) return { refusal: mapped, isUnexpected: mapped.status >= 500 };
  if (isDatabaseAway(error)) {
    const detail = 'The metadata database does not answer at the moment. Try again in a few seconds.';
    return {
      refusal: new Refusal(503, { code: 'database-away', detail, headers: { 'retry-after': '5' } }),
      isUnexpected: true,
    };
  }
  const detail = 'Something went wrong on our side. The trace id leads to it in the log.';
  return {
    refusal: new Refusal(500, { code: 'internal', type: '/errors/internal', detail }),
    isUnexpected: true,
  };
}

function fromFramework(error: unknown): Refusal | undefined {
  if (!(error instanceof Error)) return undefined;
  const { validation, validationContext, statusCode, code } = error as FrameworkError;
  if (validation) return fromValidation(validation, validationContext);
  if (statusCode === undefined || statusCode < 400 || statusCode > 499) return undefined;
  const detail =
    frameworkDetails[code ?? ''] ??
    (error instanceof SyntaxError ? 'The body is not valid JSON.' : error.message);
  return new Refusal(statusCode, { code: 'bad-request', detail });
}

function fromValidation(validation: readonly ValidationError[], context: string | undefined): Refusal {
  // A path that cannot name a record names none.
  if (context === 'params')
    return new Refusal(404, {
      code: 'not-found',
      detail: 'There is no such thing here, or you may not see it.',
    });
  const errors = validation
    .slice(0, 50)
    .map((entry) => ({ path: pathOf(entry, context), message: messageOf(entry) }));
  const where =
    context === 'querystring' ? 'query parameters' : context === 'headers' ? 'headers' : 'request body';
  const [first] = errors;
  const detail = first
    ? `The ${where} cannot be accepted: ${first.path || 'it'} ${first.message}.`
    : `The ${where} cannot be accepted.`;
  return new Refusal(400, { code: 'invalid-input', detail, errors });
}

function pathOf(entry: ValidationError, context: string | undefined): string {
  const missing = entry.params?.['missingProperty'] ?? entry.params?.['additionalProperty'];
  const path = missing === undefined ? entry.instancePath : `${entry.instancePath}/${String(missing)}`;
  return context === 'querystring' ? path.replace(/^\//, '') : path;
}

function messageOf(entry: ValidationError): string {
  if (entry.keyword === 'required') return 'is required';
  if (entry.keyword === 'additionalProperties') return 'is not known here';
  if (entry.keyword === 'enum')
    return `must be one of ${(entry.params?.['allowedValues'] as unknown[] | undefined)?.join(', ')}`;
  if (entry.keyword === 'pattern' && entry.params?.['pattern'] === '\\S') return 'must not be blank';
  return entry.message ?? 'is not valid';
}

/** The body of a refusal. The trace id is left out of a 404, so that a hidden record answers like a missing one. */
export function toProblem(refusal: Refusal, traceId: string): Problem {
  return {
    type: refusal.type,
    title: refusal.title ?? titles[refusal.status],
    status: refusal.status,
    ...(refusal.detail !== undefined && { detail: refusal.detail }),
    ...(refusal.code !== undefined && { code: refusal.code }),
    ...(refusal.status !== 404 && { traceId }),
    ...(refusal.errors && { errors: [...refusal.errors] }),
  };
}
