import type { QueryFolder } from '@svc/contract';
import { expect, test } from 'vitest';
import { folderKey, projectKey, treeNodes } from './tree-nodes.ts';

const folder = (id: number, path: string, parentId: number | null, projectId = 1): QueryFolder => ({
  id,
  projectId,
  projectName: projectId === 1 ? 'Shop' : 'Bank',
  parentId,
  path,
  queryCount: 0,
  name: path.split('/').at(-1) ?? '',
  depth: path.split('/').length,
  version: 1,
  createdTime: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
});
const folders = [
  folder(1, 'Sales', null),
  folder(2, 'Sales/Late', 1),
  folder(3, 'Sales/Late/Old', 2),
  folder(4, 'Stock', null),
  folder(5, 'Cash', null, 2),
];
const labels = (...closed: string[]) =>
  treeNodes(folders, new Set(closed)).map(({ level, label }) => `${level} ${label}`);

test('the tree shows folders below their project and parent folder, with projects sorted by name', () => {
  expect(labels()).toEqual(['1 Bank', '2 Cash', '1 Shop', '2 Sales', '3 Late', '4 Old', '2 Stock']);
});

test('the tree hides all descendants of a closed folder', () => {
  expect(labels(folderKey(1))).toEqual(['1 Bank', '2 Cash', '1 Shop', '2 Sales', '2 Stock']);
  expect(labels(projectKey(1))).toEqual(['1 Bank', '2 Cash', '1 Shop']);
});
