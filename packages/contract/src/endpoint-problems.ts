import { type Access, isAdministrative } from './access.ts';
import { type Endpoint, takesIdempotencyKey } from './endpoint.ts';
import { type HttpProblemCode, type ProblemCode, problemCodes, problemEntry } from './problem-codes.ts';

const isHttp = (code: ProblemCode): code is HttpProblemCode => problemEntry(code).status !== null;

const ofOperation = (operationId: string): HttpProblemCode[] =>
  (Object.keys(problemCodes) as ProblemCode[])
    .filter(isHttp)
    .filter((code) => problemEntry(code).operations?.includes(operationId));

/** Returns the codes of the gates that apply to the access entry. */
function ofAccess(access: Access): HttpProblemCode[] {
  const { callers, grants } = access;
  if (callers.includes('anonymous')) return [];
  const takesKeys = callers.includes('apiKey');
  return [
    'unauthorized',
    ...(takesKeys ? (['invalid-api-key', 'api-key-owner-inactive'] as const) : []),
    ...(callers.includes('bearer') || callers.includes('mcpCaller') ? (['invalid-token'] as const) : []),
    ...(takesKeys && access.scope === 'Execute' && !isAdministrative(access)
      ? (['execute-scope-required'] as const)
      : []),
    ...(isAdministrative(access) ? (['key-administrative'] as const) : []),
    ...(takesKeys ? [] : (['session-required'] as const)),
    ...(grants.length > 0 ? (['password-change-required', 'permission-required'] as const) : []),
    ...(access.project === 'writable' || access.project === 'managed'
      ? (['project-right-required'] as const)
      : []),
    ...(access.needsAntiforgery ? (['antiforgery-required'] as const) : []),
  ];
}

/** Refusals before the handler runs: the path, headers or text of the request cannot be read. */
const ofAny = [
  'bad-request',
  'repeated-header',
  'invalid-input',
] as const satisfies readonly HttpProblemCode[];

/** Refusals of a body. The service reads a body for every method that may have one, even if the endpoint ignores it. */
const ofBody = [
  'invalid-json',
  'forbidden-member',
  'too-deep',
  'body-too-large',
] as const satisfies readonly HttpProblemCode[];

const ofIdempotencyKey = [
  'invalid-idempotency-key',
  'request-under-way',
  'request-outcome-unknown',
  'idempotency-key-reused',
] as const satisfies readonly HttpProblemCode[];

/**
 * Returns the codes that an endpoint may answer, by its access, its input and the table's operation lists. Codes that
 * every endpoint may answer (`internal`, `database-away`, limits of the host's server) are not listed.
 */
export function problemsOf(endpoint: Endpoint): readonly HttpProblemCode[] {
  return [
    ...new Set<HttpProblemCode>([
      ...ofAny,
      ...(endpoint.method === 'GET' ? [] : ofBody),
      ...(endpoint.method === 'GET'
        ? []
        : ([endpoint.takesFile ? 'bytes-required' : 'json-required'] as const)),
      ...ofAccess(endpoint.access),
      ...(takesIdempotencyKey(endpoint) ? ofIdempotencyKey : []),
      ...(endpoint.params ? (['not-found'] as const) : []),
      ...(endpoint.edits ? (['managed-from-code'] as const) : []),
      ...ofOperation(endpoint.operationId),
    ]),
  ];
}
