import type { Answer } from '@svc/testkit/client/http-client.ts';

/** The members of the OpenAPI document that declare response headers. */
export type HeaderDocument = {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<string, { readonly responses: Readonly<Record<string, { readonly headers?: object }>> }>
      >
    >
  >;
};

/**
 * Headers that operations need not declare. HTTP and `content` describe the headers of the connection and the body. All
 * responses have the headers that protect browsers.
 */
const ofEveryAnswer = new Set([
  'cache-control',
  'connection',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-resource-policy',
  'date',
  'keep-alive',
  'referrer-policy',
  'transfer-encoding',
  'x-content-type-options',
]);

/** Declared headers that only some successful responses have, such as responses to a repeated request. */
const ofSomeAnswers = new Set(['idempotency-replayed', 'set-cookie', 'clear-site-data']);

/**
 * Returns one sentence per undeclared header of a response, and per declared header that the response lacks.
 *
 * @param operation  Method and path as in the access rows: `GET /svc/api/projects/{id}`.
 */
export function wrongHeaders({ paths }: HeaderDocument, operation: string, answer: Answer): string[] {
  const [method = '', path = ''] = operation.split(' ');
  const response = paths[path]?.[method.toLowerCase()]?.responses[String(answer.status)];
  if (!response) return [];
  const declared = new Set(Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()));
  const sent = [...new Set(answer.headers.keys())];
  const undeclared = sent.filter((name) => !declared.has(name) && !ofEveryAnswer.has(name));
  const isAlways = (name: string): boolean => {
    if (answer.status < 400) return !ofSomeAnswers.has(name);
    return name === 'trace-id' || (name === 'www-authenticate' && answer.status === 401);
  };
  const missing = [...declared].filter((name) => isAlways(name) && !sent.includes(name));
  return [
    ...undeclared.map((name) => `${operation} answers ${answer.status} with ${name} and does not say so`),
    ...missing.map((name) => `${operation} answers ${answer.status} without ${name}, which it declares`),
  ];
}
