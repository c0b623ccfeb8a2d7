import * as contract from '@svc/contract';
import fastJsonStringify from 'fast-json-stringify';
import { expect, test } from 'vitest';
import { closed, compiledSchemaCount, serializerCompiler, validatorCompiler } from './validation.ts';

/** A validator as Fastify calls it. */
type Validator = { (value: unknown): unknown; readonly errors?: unknown };

const exported: readonly unknown[] = Object.values(contract);
const endpoints = exported.filter(
  (value): value is contract.Endpoint =>
    typeof value === 'object' && value !== null && 'operationId' in value,
);

test('a schema is compiled at its first use, and its errors are available on the validator', () => {
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

test.each(endpoints.map((endpoint) => [endpoint.operationId, endpoint] as const))(
  'the schemas of %s compile',
  (_, { params, query, body, responses }) => {
    const part = { method: 'POST', url: '/' };
    const compiles = (validate: Validator) => expect(validate({})).toBeTypeOf('boolean');
    if (params) compiles(validatorCompiler({ ...part, schema: params, httpPart: 'params' }));
    if (query) compiles(validatorCompiler({ ...part, schema: query, httpPart: 'querystring' }));
    if (body) compiles(validatorCompiler({ ...part, schema: closed(body), httpPart: 'body' }));
    for (const answer of Object.values(responses))
      if (answer && !contract.isBinary(answer)) expect(fastJsonStringify(answer)).toBeTypeOf('function');
  },
);

test('the contract has more than 300 endpoints', () => expect(endpoints.length).toBeGreaterThan(300));
