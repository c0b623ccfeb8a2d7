import { expect, test } from 'vitest';
import { argumentValues, toolArguments } from './tool-arguments.ts';

const schema = {
  properties: {
    sql: { type: 'string', maxLength: 100_000, description: 'One SELECT.' },
    data_source: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
    max_rows: { type: 'integer' },
    parameters: { type: 'object' },
    project_id: { type: 'integer' },
  },
  required: ['sql'],
};

test('a tool form has each argument except the project, each with a suitable field', () => {
  expect(
    toolArguments(schema, 'query').map(({ name, kind, isRequired }) => [name, kind, isRequired]),
  ).toEqual([
    ['sql', 'Lines', true],
    ['data_source', 'IdOrName', false],
    ['max_rows', 'Number', false],
    ['parameters', 'Json', false],
  ]);
});

test('filled-in arguments are sent with their types, and empty arguments are omitted', () => {
  const inputs = toolArguments(schema, 'query');
  expect(
    argumentValues(inputs, { sql: ' select 1 ', data_source: '7', max_rows: '5', parameters: '{"a":1}' }),
  ).toEqual({ sql: 'select 1', data_source: 7, max_rows: 5, parameters: { a: 1 } });
  expect(argumentValues(inputs, { sql: 'x', data_source: 'Shop', max_rows: ' ' })).toEqual({
    sql: 'x',
    data_source: 'Shop',
  });
  expect(() => argumentValues(inputs, { parameters: '{' })).toThrow('parameters must be JSON');
});

test('the form of a query tool has one field for each parameter, also for one named project_id', () => {
  const properties = {
    since: { anyOf: [{ type: 'string', maxLength: 40 }, { type: 'null' }] },
    isLate: { type: 'boolean' },
    project_id: { type: 'number' },
  };
  const ofQuery = toolArguments({ properties, required: ['isLate'] }, 'q_late');
  expect(ofQuery.map(({ name, kind, isRequired }) => [name, kind, isRequired])).toEqual([
    ['since', 'Line', false],
    ['isLate', 'Boolean', true],
    ['project_id', 'Number', false],
  ]);
  expect(argumentValues(ofQuery, { since: '2026', isLate: 'True' })).toEqual({ since: '2026', isLate: true });
  expect(() => argumentValues(ofQuery, { isLate: 'yes' })).toThrow('isLate must be true or false');
  const deprecated = { properties: { project_id: { type: 'integer', deprecated: true } } };
  expect(toolArguments(deprecated, 'q_late')).toEqual([]);
});
