import { expect, test } from 'vitest';
import { commentOf, type Schema, typeOf } from '../tools/schema-types.ts';

const flat = (schema: Schema) => typeOf(schema).replaceAll(/\s+/g, ' ');

test.each<[Schema, string]>([
  [{ type: 'string', description: 'Words.' }, 'string'],
  [{ type: ['integer', 'null'] }, 'number | null'],
  [{ type: ['string', 'null'], enum: ['a', 'b', null] }, '"a" | "b" | null'],
  [{ const: 'a' }, '"a"'],
  [{}, 'unknown'],
  [{ $ref: '#/components/schemas/Project' }, 'Project'],
  [{ anyOf: [{ $ref: '#/components/schemas/Project' }, { type: 'null' }] }, 'Project | null'],
  [{ type: 'array', items: { type: ['string', 'null'] } }, 'readonly (string | null)[]'],
  [{ type: 'object', additionalProperties: { type: 'number' } }, '{ readonly [name: string]: number }'],
  [
    { type: 'object', required: ['a'], properties: { a: { type: 'string' }, 'b-c': { type: 'boolean' } } },
    '{ readonly a: string; readonly "b-c"?: boolean; }',
  ],
])('%j is written as a type', (schema, type) => {
  expect(flat(schema)).toBe(type);
});

test('a keyword that nobody has decided about stops the generator, as an unknown type does', () => {
  expect(() => typeOf({ oneOf: [] } as Schema)).toThrow('oneOf');
  expect(() => typeOf({ type: 'date' })).toThrow('date');
});

test('a description ends no comment', () => {
  expect(commentOf('a */ b\nc')).toBe('/** a * / b c */\n');
});
