import type { Answer } from '@svc/testkit/client/http-client.ts';

/** What is needed of the OpenAPI document to hold the headers of answers against it. */
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

/** Of the connection and the body, which HTTP itself and `content` describe, and what protects browsers in every answer. */
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

/** Sent in some answers of a success alone: to a repeated request, to a browser without the cookie. */
const ofSomeAnswers = new Set(['idempotency-replayed', 'set-cookie', 'clear-site-data']);

/**
 * What of an answer's headers the document does not declare, and what of the declared ones it has not, in words.
 *
 * @param operation  as in the access rows: `GET /svc/api/projects/{id}`.
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
