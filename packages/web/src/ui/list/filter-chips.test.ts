import { expect, test } from 'vitest';
import { changesOf } from './filter-chips.tsx';

const project = { name: 'projectId', within: ['folderId'] };

test('another record takes the filters with it that meant something of the one before', () => {
  expect(changesOf(project, '1', '2')).toEqual({ projectId: '2', folderId: undefined });
  expect(changesOf(project, undefined, '2')).toEqual({ projectId: '2', folderId: undefined });
});

test('the same record again, and none, leave them', () => {
  expect(changesOf(project, '2', '2')).toEqual({ projectId: '2' });
  expect(changesOf(project, '2', undefined)).toEqual({ projectId: undefined });
});

test('a filter that nothing belongs to changes itself alone', () => {
  expect(changesOf({ name: 'check' }, undefined, 'Failed')).toEqual({ check: 'Failed' });
});
