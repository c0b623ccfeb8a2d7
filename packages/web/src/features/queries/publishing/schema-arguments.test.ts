import { expect, test } from 'vitest';
import { argumentsOf } from './schema-arguments.ts';

test('the arguments of a schema have a type and default value, with required arguments first', () => {
  const schema = {
    type: 'object',
    required: ['since'],
    properties: {
      least: { anyOf: [{ type: 'number' }, { type: 'null' }], default: 5 },
      since: { type: 'string', description: 'From this day on.' },
    },
  };
  expect(argumentsOf(schema)).toEqual([
    {
      name: 'since',
      type: 'string',
      isNeeded: true,
      defaultValue: undefined,
      description: 'From this day on.',
    },
    { name: 'least', type: 'number', isNeeded: false, defaultValue: 5, description: '' },
  ]);
});

test('a schema that declares nothing has no arguments', () => {
  expect(argumentsOf({})).toEqual([]);
});
