import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { bannedWords, findBannedWords, hasWord, trimAllowed } from '../language/banned-words.ts';
import { findGlossaryFaults, findWordFaults } from '../language/glossary.ts';
import { findMissingPaths, findPathFaults } from './paths.ts';

const root = path.join(import.meta.dirname, '../../..');

describe('the glossary', () => {
  const text = readFileSync(path.join(root, 'docs/glossary.md'), 'utf8');
  const faultsOf = (from: string, to: string) => {
    expect(text).toContain(from);
    return findGlossaryFaults(root, text.replace(from, to));
  };

  test('has no faults, and only listed files use its banned words', () => {
    expect(findWordFaults(root)).toEqual([]);
  });

  test.each([
    [
      'a file that is not there',
      '`packages/jobs/src/sql/hints.ts`',
      '`packages/jobs/src/sql/no.ts`',
      'not there',
    ],
    ['a name that the file does not have', '`parseHint`', '`parseHin`', 'which has no such name'],
    [
      'a term in two sentences',
      'renewed while it works.',
      'renewed. It ends.',
      'not explained in one sentence',
    ],
    ['a term out of order', '| attempt |', '| zebra |', 'alphabetical'],
    ['a banned word that no check looks for', '| judge |', '| jury |', 'bans "jury: '],
    ['a banned word that is not told', '| workbench | fixture |\n', '', 'does not ban "workbench: fixture"'],
  ])('reports %s as a fault', (_name, from, to, fault) => {
    expect(faultsOf(from, to).join('\n')).toContain(fault);
  });
});

describe('banned words', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-words-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  const wordsIn = (file: string, text: string) =>
    bannedWords.filter((banned) => hasWord(banned, file, text)).map(({ word }) => word);

  test.each([
    ['trip', 'a.ts', 'const sharedTrip = 1;'],
    ['trip', 'shared-trip.ts', ''],
    ['presumption', 'a.ts', '/** The tables are presumed. */'],
    ['kept links', 'a.ts', 'createKeptLinks()'],
    ['signed settings', 'signed-settings.ts', ''],
    ['waits for company', 'a.ts', '{ waitsForCompany: true }'],
    ['world', 'a.ts', 'startRunWorld()'],
    ['workbench', 'a.ts', 'const workbench = 1;'],
    ['delivering', 'a.ts', 'await startDelivering(start)'],
    ['judge', 'a.ts', "import { type Caller, judge } from './a.ts';"],
    ['judge', 'a.ts', 'const judgeName = (name: string) => true;'],
    ['plain', 'a.ts', '{ isPlain: true }'],
  ])('the word "%s" is reported in %s: %s', (word, file, text) => {
    expect(wordsIn(file, text)).toEqual([word]);
  });

  test.each([
    'one round trip',
    'roundTripMs',
    'while delivering a message',
    'text/plain',
    'plainText',
    'who may judge',
  ])('"%s" is not a banned word', (text) => {
    expect(wordsIn('a.ts', text)).toEqual([]);
  });

  test('a banned word is allowed in its listed file, also after a move, and in no other file', () => {
    write('packages/a/old.ts', 'world');
    write('packages/a/new.ts', 'world');
    const allowed = { world: ['packages/a/old.ts'] };
    const read = (...files: string[]) => new Map(files.map((file) => [file, 'world']));
    const faultsIn = (...files: string[]) => findBannedWords(folder, read(...files), allowed);
    expect(faultsIn('packages/a/old.ts')).toEqual([]);
    expect(faultsIn('packages/a/new.ts')).toEqual([expect.stringContaining('packages/a/new.ts: "world"')]);
    expect(faultsIn('packages/b/old.ts')).toHaveLength(1);
    mkdirSync(path.join(folder, 'packages/b'), { recursive: true });
    renameSync(path.join(folder, 'packages/a/old.ts'), path.join(folder, 'packages/b/old.ts'));
    expect(faultsIn('packages/b/old.ts')).toEqual([]);
    expect(trimAllowed(folder, read('packages/b/old.ts'), allowed)).toEqual({ world: ['packages/b/old.ts'] });
  });

  test('a file without its banned word is removed from the list', () => {
    const code = new Map([['packages/a/old.ts', 'fixture']]);
    expect(trimAllowed(folder, code, { world: ['packages/a/old.ts'] })).toEqual({});
  });
});

describe('paths in documents', () => {
  const missing = (text: string) => findMissingPaths(root, 'docs/page.md', text);

  test('match the anchors of the headings', () => {
    expect(missing('# A b\n\n## `C`: d?\n\n[x](#a-b) [y](#c-d) [z](settings.md#svcquery)')).toEqual([]);
  });

  test('exist', () => {
    expect(findPathFaults(root)).toEqual([]);
  });

  test.each([
    ['a file in backquotes', 'See `packages/jobs/src/no.ts`.', 'packages/jobs/src/no.ts'],
    ['a folder in backquotes', 'See `packages/no`.', 'packages/no'],
    ['a file below the sources of the server', 'See `platform/http/no.ts`.', 'platform/http/no.ts'],
    ['a path of a command', 'Run `npm test -- spec/no.spec.ts`.', 'spec/no.spec.ts'],
    ['the target of a link', 'See [it](adr/no.md).', 'adr/no.md'],
    ['the anchor of a link', 'See [it](settings.md#svcno).', 'settings.md#svcno'],
    ['an anchor of its own', '# A\n\nSee [it](#b).', '#b'],
  ])('are reported if they do not exist: %s', (_name, text, named) => {
    expect(missing(text)).toEqual([`docs/page.md: ${named} is not there.`]);
  });

  test.each([
    '`packages/jobs/src/sql/hints.ts`',
    '`platform/http/app.ts`',
    '[it](adr/README.md)',
    '[elsewhere](https://example.com/no)',
    '`text/plain`',
    '`GET /svc/api/no`',
    '```\npackages/no/\n```',
  ])('are accepted: %s', (text) => {
    expect(missing(text)).toEqual([]);
  });
});
