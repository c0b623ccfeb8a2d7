import { expect, test } from 'vitest';
import { changesOf } from './filter-chips.tsx';

const project = { name: 'projectId', within: ['folderId'] };

test('selecting another record clears the filters that depend on the previous one', () => {
  expect(changesOf(project, '1', '2')).toEqual({ projectId: '2', folderId: undefined });
  expect(changesOf(project, undefined, '2')).toEqual({ projectId: '2', folderId: undefined });
});

test('selecting the same record, or none, retains the dependent filters', () => {
  expect(changesOf(project, '2', '2')).toEqual({ projectId: '2' });
  expect(changesOf(project, '2', undefined)).toEqual({ projectId: undefined });
});

test('a filter without dependent filters changes only itself', () => {
  expect(changesOf({ name: 'check' }, undefined, 'Failed')).toEqual({ check: 'Failed' });
});
