import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { notificationTypes, runStatuses } from '../packages/contract/src/index.ts';

/** Texts that the specification fixes, with its section. No rewording may change a byte of them. */
const fixedTexts: readonly (readonly [section: string, text: string])[] = [
  ['1, 5.6', 'Invalid or expired API key'],
  ['1, 5.6', 'This operation requires the Execute scope'],
  ['1, 5.6', 'revoked'],
  ['1, 5.6', 'expired'],
  ['1, 5.6', 'owner_disabled'],
  ['1, 5.6', 'owner_archived'],
  ['1, 5.6', 'owner_missing'],
  ['1, 5.6', 'owner_generation_changed'],
  ['1, 5.6', 'no valid scopes'],
  ['1, 5.6', 'owner_inactive'],
  ['1, 5.3', 'breakGlassSignIn: 7119'],
  ['2, 5', 'No projects are available to you'],
  ['2, 5', 'Access denied'],
  ['3, 2.1', 'Re-enter destination'],
  ['3, 2.1', 'Max rows'],
  ['3, 2.1', 'Show query text in notification'],
  ['3, 2.1', 'Include results as attachment'],
  ['3, 2.1', 'Attachment format'],
  ['3, 4.1', 'View Full Results'],
  ['3, 4.1', 'View Query Results'],
  ['3, 4.1', 'total records'],
  ['3, 4.1', 'SVC: '],
  ['3, 4.1', '[Svc] '],
];

/** Columns and words of the list of API keys, in order. */
const keyColumns = ['Name', 'Prefix', 'Scopes', 'Projects', 'Created', 'Last used', 'Expires', 'Status'];
const keyWords = ['Never', 'Expired', 'Active', 'Inactive'];

const root = path.join(import.meta.dirname, '..');
const isTest = (file: string): boolean => /[.](test|spec)[.]tsx?$|[/]testing([.]ts$|[/])/.test(file);
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const files = globSync(['packages/{server,channels,web,contract}/src/**/*.{ts,tsx}', 'spec/**/*.spec.ts'], {
  cwd: root,
}).filter((file) => !file.includes('node_modules'));
const product = files
  .filter((file) => !isTest(file))
  .map(read)
  .join('\n');
const tests = files.filter(isTest).map(read).join('\n');

test.each(fixedTexts)('section %s fixes the text "%s", and the product contains it', (_, text) => {
  expect(product).toContain(text);
});

test.each(fixedTexts.filter(([, text]) => !text.includes('7119')))(
  'a test of section %s expects the text "%s"',
  (_, text) => {
    expect(tests).toContain(text);
  },
);

test('the list of API keys has the fixed columns and words', () => {
  const file = read('packages/web/src/features/api-keys/key-columns.tsx');
  expect([...file.matchAll(/label: '([^']+)'/g)].map(([, label]) => label)).toEqual(keyColumns);
  for (const word of keyWords) expect(file).toContain(word);
});

test('the run statuses and the types of recipients are those of the specification', () => {
  expect(runStatuses).toEqual([
    'Created',
    'Sent',
    'Silenced',
    'NoResults',
    'Timeout',
    'BelowThreshold',
    'Failed',
    'Skipped',
  ]);
  expect(notificationTypes).toEqual(['Email', 'ChatBlocks', 'ChatCards', 'IssueTracker', 'Webhook']);
});
