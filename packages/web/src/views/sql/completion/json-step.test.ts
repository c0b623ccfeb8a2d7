import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { completeStep, stepFor } from './json-step.ts';

const complete = completeStep({
  tables: ['/orders', '/orders/{id}'].map((name) => ({ schema: 'api', name, columns: [] })),
  joins: [],
  parameters: ['since'],
});
const offered = (doc: string, isExplicit = false) =>
  complete(new CompletionContext(EditorState.create({ doc }), doc.length, isExplicit))?.options.map(
    ({ label, apply }) => apply ?? label,
  );

test('completion offers endpoints after the path key, and complete steps in an empty editor', () => {
  expect(offered('{"path": "/o')).toEqual(['/orders', '/orders/{id}']);
  expect(offered('', true)).toEqual(['{"path": "/orders"}', '{"path": "/orders/{id}", "params": {"id": }}']);
  expect(offered('{"rows": "/d', true)).toBeUndefined();
});

test('completion offers parameters after two braces', () => {
  expect(offered('{"path": "/orders", "query": {"since": {{s')).toEqual(['since}}']);
});

test('a step includes the location of its rows if it is known', () => {
  expect(stepFor('/orders', '/data')).toBe('{"path": "/orders", "rows": "/data"}');
});
