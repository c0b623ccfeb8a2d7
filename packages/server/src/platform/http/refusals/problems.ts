import { type HttpProblemCode, type Problem, problemHelpPath } from '@svc/contract';
import { databaseError, isDatabaseAway, isDatabaseFull } from '../../db/index.ts';
import { BusinessRuleError } from './business-rule.ts';
import { HttpProblem } from './http-problem.ts';
import { notFound, Refusal } from './refusal.ts';
import { unknownMemberMessage } from './unknown-member.ts';

/**
 * The host's mapping from exceptions to responses. It gets broken business rules (`BusinessRuleError`) and every
 * error that is not the service's own refusal, such as errors of the host's functions. Undefined: the service's own
 * response. A mapping that fails, or returns anything but a problem of 400 to 599, causes a 500.
 */
export type ErrorMapping = (error: unknown) => HttpProblem | undefined;

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
  parentSchema?: unknown;
};

/** Problem codes of Fastify's own errors. Its other errors are mapped by status. */
const frameworkCodes: Readonly<Record<string, HttpProblemCode>> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid-json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid-json',
};

const frameworkStatuses: Readonly<Record<number, HttpProblemCode>> = {
  404: 'not-found',
  408: 'request-timeout',
  413: 'body-too-large',
  414: 'uri-too-long',
  415: 'json-required',
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
 * Maps an error to a refusal; the only place that does so. Order:
 *
 * 1. refusals except broken business rules,
 * 2. request faults from Fastify,
 * 3. the host's mapping,
 * 4. broken business rules,
 * 5. a full or unavailable database,
 * 6. a generic 500 for an unknown error.
 *
 * @returns the refusal, and the error to log; `undefined` for an expected one.
 */
export function toRefusal(
  error: unknown,
  mapping: ErrorMapping | undefined,
): { refusal: HttpProblem; unexpected: unknown } {
  const isRule = error instanceof BusinessRuleError;
  if (error instanceof HttpProblem && !isRule) return { refusal: error, unexpected: undefined };
  const frameworkRefusal = fromFramework(error);
  if (frameworkRefusal) return { refusal: frameworkRefusal, unexpected: undefined };
  try {
    const mapped = mapping && checked(mapping(error));
    if (mapped) return { refusal: mapped, unexpected: mapped.status >= 500 ? error : undefined };
  } catch (failure) {
    const both = new AggregateError([error, failure], "The host's error mapping failed");
    return { refusal: internal(), unexpected: both };
  }
  if (isRule) return { refusal: error, unexpected: undefined };
  if (isDatabaseFull(error)) {
    const detail =
      'The disk of the metadata database is full. Nothing was written; make room on it, and try again.';
    return {
      refusal: new Refusal('database-full', { detail, headers: { 'retry-after': '30' } }),
      unexpected: error,
    };
  }
  if (isDatabaseAway(error) || isStatementTimeout(error)) {
    const detail = 'The metadata database does not answer at the moment. Try again in a few seconds.';
    return {
      refusal: new Refusal('database-away', { detail, headers: { 'retry-after': '5' } }),
      unexpected: error,
    };
  }
  return { refusal: internal(), unexpected: error ?? new Error('Nothing was thrown') };
}

/** Returns true if the metadata database ended a statement that took too long, for example because of a lock. */
const isStatementTimeout = (error: unknown): boolean => databaseError(error)?.code === '57014';

const internal = (): Refusal => {
  const detail = 'Something went wrong on our side. The trace id leads to it in the log.';
  return new Refusal('internal', { detail });
};

/** Checks the result of a mapping, because not every host has a compiler that does. */
function checked(mapped: unknown): HttpProblem | undefined {
  if (mapped === undefined || mapped === null) return undefined;
  const isAnswer =
    mapped instanceof HttpProblem &&
    Number.isInteger(mapped.status) &&
    mapped.status >= 400 &&
    mapped.status <= 599;
  if (!isAnswer) throw new TypeError('The mapping answered no problem of 400 to 599.');
  return mapped;
}

function fromFramework(error: unknown): Refusal | undefined {
  if (!(error instanceof Error)) return undefined;
  const { validation, validationContext, statusCode, code } = error as FrameworkError;
  if (validation) return fromValidation(validation, validationContext);
  if (statusCode === undefined || statusCode < 400 || statusCode > 499) return undefined;
  const detail =
    frameworkDetails[code ?? ''] ??
    (error instanceof SyntaxError ? 'The body is not valid JSON.' : error.message);
  const isBadJson = error instanceof SyntaxError;
  const problemCode = isBadJson
    ? 'invalid-json'
    : (frameworkCodes[code ?? ''] ?? frameworkStatuses[statusCode]);
  return new Refusal(problemCode ?? 'bad-request', { detail });
}

function fromValidation(validation: readonly ValidationError[], context: string | undefined): Refusal {
  // An invalid path parameter names no record.
  if (context === 'params') return notFound();
  const errors = validation
    .slice(0, 50)
    .map((entry) => ({ path: pathOf(entry, context), message: messageOf(entry) }));
  const where =
    context === 'querystring' ? 'query parameters' : context === 'headers' ? 'headers' : 'request body';
  const [first] = errors;
  const detail = first
    ? `The ${where} cannot be accepted: ${first.path || 'it'} ${first.message}.`
    : `The ${where} cannot be accepted.`;
  return new Refusal('invalid-input', { detail, errors });
}

function pathOf(entry: ValidationError, context: string | undefined): string {
  const missing = entry.params?.['missingProperty'] ?? entry.params?.['additionalProperty'];
  const path = missing === undefined ? entry.instancePath : `${entry.instancePath}/${String(missing)}`;
  return context === 'querystring' ? path.replace(/^\//, '') : path;
}

function messageOf(entry: ValidationError): string {
  if (entry.keyword === 'required') return 'is required';
  if (entry.keyword === 'additionalProperties') return unknownMemberMessage(entry.parentSchema);
  if (entry.keyword === 'enum')
    return `must be one of ${(entry.params?.['allowedValues'] as unknown[] | undefined)?.join(', ')}`;
  if (entry.keyword === 'pattern' && entry.params?.['pattern'] === '\\S') return 'must not be blank';
  return entry.message ?? 'is not valid';
}

/** Returns the type of a problem, with the base prepended if the type points to the service's help page. */
export const helpBelow = (basePath: string, type: string): string =>
  type.startsWith(`${problemHelpPath}#`) ? basePath + type : type;

/**
 * Returns the body of a refusal. A 404 has no trace id, so that a hidden record answers like a missing one.
 *
 * @param request.basePath Mount path of the service and of the help page that the type points to.
 */
export function toProblem(refusal: HttpProblem, request: { traceId?: string; basePath: string }): Problem {
  const { traceId, basePath } = request;
  return {
    type: helpBelow(basePath, refusal.type),
    title: refusal.title,
    status: refusal.status,
    ...(refusal.detail !== undefined && { detail: refusal.detail }),
    ...(refusal.code !== undefined && { code: refusal.code }),
    ...(refusal.status !== 404 && traceId !== undefined && { traceId }),
    ...(refusal.errors && { errors: [...refusal.errors] }),
    ...(refusal.remedy !== undefined && { remedy: refusal.remedy }),
  };
}
