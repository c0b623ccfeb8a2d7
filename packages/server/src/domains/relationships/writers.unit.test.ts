import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const source = path.resolve(import.meta.dirname, '../..');

/** Returns the production files that contain a pattern. */
const filesWith = (pattern: RegExp): string[] =>
  readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('.test.') && !name.includes('testing/'))
    .filter((name) => pattern.test(readFileSync(path.join(source, name), 'utf8')))
    .toSorted();

// Definition files, MCP tools and AI actors therefore cannot mark a relationship as verified.
test('only the service of relationships writes relationships, so that its check of the mark covers every route', () => {
  expect(filesWith(/(insert into|update|delete from|merge into) svc\.relationships\b/i)).toEqual([
    'domains/relationships/store.ts',
  ]);
  expect(filesWith(/(insertInto|updateTable|deleteFrom)\('svc\.relationships'\)/)).toEqual([]);
  expect(filesWith(/\b(insertRelationships|setVerified|updateRelationship)\(/)).toEqual([
    'domains/relationships/change.ts',
    'domains/relationships/create.ts',
    'domains/relationships/proposals.ts',
    'domains/relationships/store.ts',
  ]);
});
