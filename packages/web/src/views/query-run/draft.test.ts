import { describe, expect, it } from 'vitest';
import {
  type Draft,
  definitionOf,
  draftOf,
  emptyDraft,
  newStep,
  parameterNames,
  runOf,
  usedParameters,
  whyNotRun,
} from './draft.ts';

const draft: Draft = {
  ...emptyDraft(7, 3),
  name: ' Late orders ',
  steps: [
    {
      key: 'a',
      name: '',
      description: null,
      dataSourceId: 3,
      sql: 'select * from orders where region = {{region}}',
    },
    { key: 'b', name: 'limits', description: null, dataSourceId: 4, sql: 'select {{limit}} as most' },
  ],
  finalQuery: 'select * from step1 join limits on true where {{ region }} is not null',
  parameters: [
    { name: 'limit', type: 'Number' },
    { name: 'gone', type: 'Date' },
  ],
};

describe('a draft of a query', () => {
  it('lists the parameters of all its texts, each once', () => {
    expect(parameterNames(draft)).toEqual(['region', 'limit']);
  });

  it('retains used parameters, drops unused ones, and declares new ones as text', () => {
    expect(usedParameters(draft)).toEqual([
      { name: 'region', type: 'String' },
      { name: 'limit', type: 'Number' },
    ]);
  });

  it('runs one step alone, with its own parameters and without the final query', () => {
    expect(runOf(draft, { kind: 'step', key: 'b', selection: null }, { region: 'EU', limit: 5 })).toEqual({
      projectId: 7,
      steps: [{ name: 'limits', dataSourceId: 4, sql: 'select {{limit}} as most' }],
      finalQuery: null,
      parameters: [{ name: 'limit', type: 'Number' }],
      values: { limit: 5 },
    });
  });

  it('runs the selected text instead of the step', () => {
    const run = runOf(draft, { kind: 'step', key: 'a', selection: 'select 1' }, { region: 'EU' });
    expect(run?.steps).toEqual([{ dataSourceId: 3, sql: 'select 1' }]);
    expect(run?.values).toEqual({});
  });

  it('is saved with a trimmed name, and without an empty description', () => {
    expect(definitionOf(draft)).toMatchObject({ name: 'Late orders', description: null });
  });

  it('is saved with the keys of its steps, new ones included', () => {
    const before = { ...draft, steps: [...draft.steps, newStep(3, 'select 1')] };
    const keys = definitionOf(before).steps.map(({ key }) => key);
    expect(keys.slice(0, 2)).toEqual(['a', 'b']);
    expect(keys[2]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(newStep(3).key).not.toBe(newStep(3).key);
  });

  it('retains the descriptions of steps when a stored query is read and saved', () => {
    const stored = { key: 'a', name: 'orders', description: 'Late ones', dataSourceId: 3, sql: 'select 1' };
    const read = {
      projectId: 7,
      name: 'Orders',
      description: null,
      finalQuery: null,
      parameters: [],
      steps: [stored],
    };
    expect(definitionOf(draftOf(read)).steps).toEqual([stored]);
  });

  it('returns the reason why it cannot run', () => {
    const empty = emptyDraft(null, null);
    expect(whyNotRun(empty, { kind: 'all' })).toBe('Choose a project first.');
    expect(whyNotRun({ ...empty, projectId: 1 }, { kind: 'all' })).toBe('Choose a data source first.');
    expect(whyNotRun(emptyDraft(1, 1), { kind: 'all' })).toBe('Write a statement first.');
    expect(whyNotRun(draft, { kind: 'all' })).toBeUndefined();
  });
});
