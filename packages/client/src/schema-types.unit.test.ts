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
])('the schema %j becomes a type', (schema, type) => {
  expect(flat(schema)).toBe(type);
});

test('an unknown keyword or type in a schema stops the generator', () => {
  expect(() => typeOf({ oneOf: [] } as Schema)).toThrow('oneOf');
  expect(() => typeOf({ type: 'date' })).toThrow('date');
});

test('a description cannot end the comment that contains it', () => {
  expect(commentOf('a */ b\nc')).toBe('/** a * / b c */\n');
});
