import { expect, test } from 'vitest';
import type { Endpoint } from './endpoint.ts';
import * as contract from './index.ts';

type Schema = { readonly [name: string]: unknown };

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'operationId' in value && 'access' in value;

/** Returns the paths of numbers in a schema without a minimum and a maximum. */
function unboundedIn(schema: unknown, place: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap((item, index) => unboundedIn(item, `${place}/${index}`));
  const { type, minimum, maximum, ...rest } = schema as Schema;
  const types = [type].flat();
  const isNumber = types.includes('integer') || types.includes('number');
  const own = isNumber && !(Number.isFinite(minimum) && Number.isFinite(maximum)) ? [place] : [];
  return [...own, ...Object.entries(rest).flatMap(([name, part]) => unboundedIn(part, `${place}/${name}`))];
}

test('every number in the input of an operation has a minimum and a maximum', () => {
  const endpoints = (Object.values(contract) as readonly unknown[]).filter(isEndpoint);
  expect(endpoints.length).toBeGreaterThan(120);
  const unbounded = endpoints.flatMap(({ operationId, params, query, body }) => [
    ...unboundedIn(params, `${operationId} params`),
    ...unboundedIn(query, `${operationId} query`),
    ...unboundedIn(body, `${operationId} body`),
  ]);
  expect(unbounded).toEqual([]);
});

test('a number without one of its bounds is reported', () => {
  const schema = {
    properties: {
      a: { type: 'integer', minimum: 1 },
      b: { type: ['integer', 'null'], minimum: 0, maximum: 2 },
    },
  };
  expect(unboundedIn(schema, 'op')).toEqual(['op/properties/a']);
});
