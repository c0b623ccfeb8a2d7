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

test('equal schema texts are compiled once for all callers, and another order of members is another text', () => {
  const { schemas } = recording(10);
  const first = schemas.of({ type: 'object', properties: { a: { type: 'string' } } });
  expect(schemas.of({ type: 'object', properties: { a: { type: 'string' } } })).toBe(first);
  expect(schemas.compiledCount()).toBe(1);
  expect(schemas.of({ properties: { a: { type: 'string' } }, type: 'object' })).not.toBe(first);
  expect(schemas.compiledCount()).toBe(2);
});

test('a compiled schema does not depend on later changes to the caller’s object', () => {
  const { schemas } = recording(10);
  const schema = { type: 'string', maxLength: 3 };
  const compiled = schemas.of(schema);
  schema.maxLength = 4;
  expect(compiled.of).toEqual({ type: 'string', maxLength: 3 });
  expect(schemas.of(schema)).not.toBe(compiled);
});

test('compiled schemas are bounded: the least recently used one is removed, and compiled again on demand', () => {
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

test('a schema that cannot be compiled throws each time and is not cached', () => {
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
