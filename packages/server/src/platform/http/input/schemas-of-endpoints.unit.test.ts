import * as contract from '@svc/contract';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { closed, compiledSchemaCount, serializerCompiler, validatorCompiler } from './validation.ts';

/** A validator as Fastify calls it. */
type Validator = { (value: unknown): unknown; readonly errors?: unknown };

const exported: readonly unknown[] = Object.values(contract);
const endpoints = exported.filter(
  (value): value is contract.Endpoint =>
    typeof value === 'object' && value !== null && 'operationId' in value,
);

test('a schema is compiled by its first use, and errors are read beside the validator', () => {
  const before = compiledSchemaCount();
  const schema = { type: 'object', properties: { ofFirstUse: { type: 'number' } } };
  const validate: Validator = validatorCompiler({ schema, method: 'POST', url: '/', httpPart: 'body' });
  const serialize = serializerCompiler({ schema, method: 'POST', url: '/', httpStatus: '200' });
  expect(compiledSchemaCount()).toBe(before);
  expect(validate({ ofFirstUse: 'no number' })).toBe(false);
  expect(validate.errors).toMatchObject([{ instancePath: '/ofFirstUse', keyword: 'type' }]);
  expect(validate({ ofFirstUse: 1 })).toBe(true);
  expect(validate.errors).toBeNull();
  expect(serialize({ ofFirstUse: 1 })).toBe('{"ofFirstUse":1}');
  expect(compiledSchemaCount()).toBe(before + 2);
});

test('every schema of an endpoint is a valid schema', () => {
  expect(endpoints.length).toBeGreaterThan(300);
  const ajv = new Ajv();
  for (const { operationId, params, query, body, responses } of endpoints)
    for (const schema of [params, query, body && closed(body), ...Object.values(responses)])
      if (schema) expect([operationId, ajv.validateSchema(schema)]).toEqual([operationId, true]);
});
