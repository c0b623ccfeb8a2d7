import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const text = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8');
const [tree = '', serverTree = '', jobsTree = '', webTree = ''] = [...text.matchAll(/```\n(.*?)```/gs)].map(
  ([, block]) => block,
);

const foldersOf = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .filter((name) => !['node_modules', 'dist', 'data', 'coverage', 'screenshots'].includes(name))
    .sort();

/** Returns the folders that a tree lists directly below the line of their parent. */
function namedIn(block: string, parent: string | null): string[] {
  const names: string[] = [];
  let isInside = parent === null;
  for (const line of block.split('\n')) {
    const [, indent = '', name = ''] = /^( *)([\w.-]+)\//.exec(line) ?? [];
    if (name === '') continue;
    if (parent === null) {
      if (indent === '') names.push(name);
    } else if (indent === '') isInside = name === parent;
    else if (isInside) names.push(name);
  }
  return names.sort();
}

test('the tree names exactly the folders at the root', () => {
  expect(namedIn(tree, null)).toEqual(foldersOf('.'));
});

test.each(['packages', 'apps'])('the tree names exactly the folders of %s', (parent) => {
  expect(namedIn(tree, parent)).toEqual(foldersOf(parent));
});

test('the tree of the server names exactly its folders', () => {
  expect(namedIn(serverTree, null)).toEqual(foldersOf('packages/server/src'));
});

test('the tree of the job library names exactly its folders', () => {
  const unlistedFolders = new Set(['testing']);
  expect(namedIn(jobsTree, null)).toEqual(
    foldersOf('packages/jobs/src').filter((name) => !unlistedFolders.has(name)),
  );
});

test('the tree of the UI names exactly its folders', () => {
  const unlistedFolders = new Set(['browser']);
  expect(namedIn(webTree, null)).toEqual(
    foldersOf('packages/web/src').filter((name) => !unlistedFolders.has(name)),
  );
});
