import { describe, expect, it } from 'vitest';
import { parseOpenApi } from './openapi.ts';

const answering = (schema: object) => ({
  get: { responses: { 200: { content: { 'application/json': { schema } } } } },
});
const documentOf = (paths: object, schemas: object = {}): string =>
  JSON.stringify({ openapi: '3.1.0', paths, ...schemas });
const operationOf = (schema: object, schemas: object = {}) =>
  parseOpenApi(documentOf({ '/a': answering(schema) }, schemas))?.operations.get('/a');

describe('an OpenAPI document', () => {
  const many = 10_000;
  const members = (schema: object) =>
    Object.fromEntries(Array.from({ length: many }, (_, at) => [`p${at}`, schema]));
  const all = { $ref: '#/S' };

  it.each([
    ['refers to itself', { S: { type: 'object', properties: members(all) } }, all],
    ['is composed of itself', { S: { type: 'object', properties: members({ allOf: [all, all] }) } }, all],
    ['requires many members', { S: { properties: members(all), required: Object.keys(members({})) } }, all],
    ['contains lists of itself', { S: { properties: members({ type: 'array', items: all }) } }, all],
  ])('that %s is parsed with 1,000 columns', (_name, schemas, schema) => {
    const operation = operationOf(schema, schemas);
    expect(operation?.columns).toHaveLength(1_000);
  });

  it('with many operations provides the requested operation', () => {
    const paths = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, at) => [`/${at}`, answering({ allOf: [all] })]),
    );
    const read = parseOpenApi(documentOf(paths, { S: { properties: members({ type: 'string' }) } }));
    expect(read?.operations.has('/2998')).toBe(true);
    expect(read?.operations.get('/2999')?.columns).toHaveLength(1_000);
    expect(read?.operations.get('/3000')).toBeUndefined();
  });

  it('with unusual names does not change a prototype', () => {
    const text = `{"openapi":"3.0.0","paths":{"__proto__":${JSON.stringify(answering({ $ref: '#/__proto__/x' }))},"constructor":{"get":{"responses":{"200":{"schema":{"properties":{"__proto__":{"type":"string"},"":{"type":["null","integer"]}},"required":["__proto__"]}}}}}}}`;
    const read = parseOpenApi(text);
    expect(['toString', ''].map((path) => read?.operations.get(path))).toEqual([undefined, undefined]);
    expect(read?.operations.get('__proto__')?.columns).toEqual([]);
    expect(read?.operations.get('constructor')?.columns).toEqual([
      { name: '__proto__', type: 'string', isNullable: false, comment: null },
      { name: '', type: 'integer', isNullable: true, comment: null },
    ]);
  });

  it('with circular or missing references has no columns', () => {
    expect(operationOf({ $ref: '#/A' }, { A: { $ref: '#/B' }, B: { $ref: '#/A' } })?.columns).toEqual([]);
    expect(operationOf({ allOf: [{ $ref: '#/A' }] }, { A: { allOf: [{ $ref: '#/A' }] } })?.columns).toEqual(
      [],
    );
    expect(operationOf({ $ref: '#/nowhere' })?.columns).toEqual([]);
  });
});
