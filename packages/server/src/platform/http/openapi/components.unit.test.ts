import { nullable, QuietHours } from '@svc/contract';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { createComponents } from './components.ts';

const Inner = Type.Object({ a: Type.String() }, { $id: 'Inner' });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe('a schema in the OpenAPI document', () => {
  test('with an $id is named by it and referenced where it is used, with the description of that place', () => {
    const components = createComponents();
    const outer = Type.Object({ one: Inner, other: nullable(Inner, { description: 'Or none.' }) });
    expect(components.answer(outer, 'Outer')).toEqual(ref('Outer'));
    expect(components.schemas()).toMatchObject({
      Inner: { type: 'object', properties: { a: { type: 'string' } } },
      Outer: {
        properties: {
          one: ref('Inner'),
          other: { anyOf: [ref('Inner'), { type: 'null' }], description: 'Or none.' },
        },
      },
    });
    expect(JSON.stringify(components.schemas())).not.toContain('$id');
  });

  test('that the contract exports has its exported name, even if another name is requested', () => {
    expect(createComponents().answer(QuietHours, 'Other')).toEqual(ref('QuietHours'));
  });

  test('of a body is closed, and has its own name if an answer uses the open one', () => {
    const components = createComponents();
    components.answer(Type.Array(Inner), 'All');
    expect(components.body(Inner, 'Given')).toEqual(ref('InnerInput'));
    expect(components.body(Type.Object({ b: Inner }), 'Given')).toEqual(ref('Given'));
    expect(components.schemas()).toMatchObject({
      Inner: expect.not.objectContaining({ additionalProperties: false }),
      InnerInput: { additionalProperties: false },
      Given: { additionalProperties: false, properties: { b: ref('InnerInput') } },
    });
  });

  test('cannot have the name of another schema', () => {
    const components = createComponents();
    components.answer(Inner, 'One');
    const other = Type.Object({ b: Type.String() }, { $id: 'Inner' });
    expect(() => components.answer(other, 'Other')).toThrow('are named Inner');
  });

  test('can have members with names of keywords', () => {
    const components = createComponents();
    components.answer(Type.Object({ properties: Type.Object({ properties: Inner }) }), 'Odd');
    expect(components.schemas()['Odd']).toMatchObject({
      properties: { properties: { properties: { properties: ref('Inner') } } },
    });
  });
});
