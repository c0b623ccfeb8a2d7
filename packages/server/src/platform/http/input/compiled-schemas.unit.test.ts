import { expect, test } from 'vitest';
import { createCompiledSchemas } from './compiled-schemas.ts';

const recording = (entriesMax: number) => {
  const evicted: object[] = [];
  const schemas = createCompiledSchemas({
    compile: (schema) => ({ of: schema }),
    entriesMax,
    onEvicted: (schema) => evicted.push(schema),
  });
  return { schemas, evicted };
};

test('the same text is compiled once, whoever made the object; another order of members is another text', () => {
  const { schemas } = recording(10);
  const first = schemas.of({ type: 'object', properties: { a: { type: 'string' } } });
  expect(schemas.of({ type: 'object', properties: { a: { type: 'string' } } })).toBe(first);
  expect(schemas.compiledCount()).toBe(1);
  expect(schemas.of({ properties: { a: { type: 'string' } }, type: 'object' })).not.toBe(first);
  expect(schemas.compiledCount()).toBe(2);
});

test('what is compiled is the text alone, not the object of the first caller', () => {
  const { schemas } = recording(10);
  const given = { type: 'string', maxLength: 3 };
  const compiled = schemas.of(given);
  given.maxLength = 4;
  expect(compiled.of).toEqual({ type: 'string', maxLength: 3 });
  expect(schemas.of(given)).not.toBe(compiled);
});

test('the number of functions is bounded: the one used longest ago goes, and is compiled again when asked for', () => {
  const { schemas, evicted } = recording(2);
  schemas.of({ const: 1 });
  schemas.of({ const: 2 });
  schemas.of({ const: 1 });
  schemas.of({ const: 3 });
  expect(evicted).toEqual([{ const: 2 }]);
  schemas.of({ const: 1 });
  expect(schemas.compiledCount()).toBe(3);
  schemas.of({ const: 2 });
  expect(schemas.compiledCount()).toBe(4);
});

test('a schema that cannot be compiled throws each time and takes no place', () => {
  const schemas = createCompiledSchemas({
    compile: () => {
      throw new Error('no schema');
    },
    entriesMax: 1,
  });
  expect(() => schemas.of({ type: 'nothing' })).toThrow('no schema');
  expect(() => schemas.of({ type: 'nothing' })).toThrow('no schema');
  expect(schemas.compiledCount()).toBe(0);
});
