import {
  type Endpoint,
  type HttpProblemCode,
  problemCodes,
  problemEntry,
  problemsOf,
  problemType,
} from '@svc/contract';
import { titles } from '../refusals/http-problem.ts';
import { headersOf } from './openapi-headers.ts';

type Json = Record<string, unknown>;

const reference = { $ref: '#/components/schemas/Problem' };

/** Returns the problem responses of an endpoint, by status: their meaning here, and the possible codes. */
export function refusalResponses(endpoint: Endpoint): Json {
  const codes = Map.groupBy<number, HttpProblemCode>(
    problemsOf(endpoint),
    (code) => problemCodes[code].status,
  );
  const statuses = new Set([...codes.keys(), ...Object.keys(endpoint.refusals ?? {}).map(Number)]);
  return Object.fromEntries(
    [...statuses]
      .sort((a, b) => a - b)
      .map((status) => [
        status,
        {
          ...refusalResponse(describe(endpoint, status), codes.get(status) ?? []),
          ...headersOf(endpoint, status, codes.get(status) ?? []),
        },
      ]),
  );
}

function describe({ refusals = {} }: Endpoint, status: number): string {
  const special = refusals[status];
  if (special !== undefined) return special;
  if (status === 400) return 'The input cannot be accepted; `errors` names the members.';
  if (status === 401) return 'No session, key or token, or one that is not valid.';
  if (status === 403) return 'Role, scope or permission does not allow this.';
  if (status === 404) return 'There is no such thing, or the caller may not see it.';
  return titles[status] ?? 'Refused';
}

const refusalResponse = (description: string, codes: readonly HttpProblemCode[]): Json => ({
  description,
  content: {
    'application/problem+json': {
      schema: reference,
      ...(codes.length > 0 && {
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      }),
    },
  },
  ...(codes.length > 0 && { 'x-problem-codes': codes }),
});

/** Returns one example for each HTTP problem code, as a component of the document. */
export const problemExamples = (): Json =>
  Object.fromEntries(
    (Object.keys(problemCodes) as (keyof typeof problemCodes)[]).flatMap((code) => {
      const { status, title, means, next } = problemEntry(code);
      const value = { type: problemType(code), title, status, code, detail: `${means} ${next}` };
      return status === null ? [] : [[code, { summary: title, description: `${means} ${next}`, value }]];
    }),
  );
