import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type JsonObject, readYaml, writeYaml } from '../../platform/yaml/index.ts';
import {
  changesOf,
  exported,
  type Files,
  makeEveryKind,
  makeSettings,
  planAndApply,
  planned,
} from './testing/records.ts';

const rounds = 20;
const editsOfRound = 50;

let fixture: RunFixture;
beforeAll(async () => {
  fixture = await startRunFixture({ config: { 'Svc:Jobs:Workers': 0, 'Svc:Migrations:Enabled': true } });
  await makeEveryKind(fixture);
  await makeSettings(fixture);
});
afterAll(() => fixture.close());

const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.constantFrom(
      'yes',
      '~',
      '0x1F',
      '- a',
      '# b',
      ' padded ',
      'a: b',
      'two\nlines\n\n',
      '\ttab',
      '"',
      "'",
      '\u2028',
    ),
  )
  .filter((value) => !value.includes('\0') && value.isWellFormed());
const named = text.map((value) => `N${value}`);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

/** Random change of one member of one kind of file; undefined removes the member. */
const edits = {
  recipients: fc.oneof(
    fc.record({ name: named.map((value) => value.slice(0, 30)) }),
    fc.record({ description: maybe(text) }),
  ),
  projects: fc.oneof(fc.record({ name: named }), fc.record({ description: maybe(text) })),
  queries: fc.oneof(
    fc.record({ name: named }),
    fc.record({ description: maybe(text) }),
    fc.record({ finalQuery: maybe(text) }),
    fc.record({
      steps: fc.array(
        fc.record({
          description: maybe(text),
          dataSource: fc.constant('the-watched-source'),
          sql: text.map((value) => `select 1 as n -- ${value}`),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  ),
  contracts: fc.oneof(
    fc.record({ description: maybe(text) }),
    fc.record({ warnScore: fc.constantFrom(85, 95, 99.5) }),
    fc.record({ isEnabled: maybe(fc.boolean()) }),
    fc.record({ slaHours: maybe(fc.integer({ min: 1, max: 700 })) }),
    fc.record({ recipients: maybe(fc.subarray(['ops-chat', 'ops-chat-second'])) }),
    fc.record({
      rules: fc.array(
        fc.record({
          name: named,
          type: fc.constant('Volume'),
          config: fc.record({ minRows: fc.nat(9) }),
          severity: maybe(fc.constantFrom('High', 'Medium')),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  ),
  subscriptions: fc.oneof(
    fc.record({ maxRows: maybe(fc.integer({ min: 1, max: 1_000 })) }),
    fc.record({ storeResults: maybe(fc.boolean()) }),
    fc.record({ showQuery: maybe(fc.boolean()) }),
    fc.record({ slaHours: maybe(fc.integer({ min: 1, max: 700 })) }),
    fc.record({ cronExpression: fc.constantFrom('0 8 * * *', '30 9 * * 1', '0 0 1 * *') }),
    fc.record({ timeZone: fc.constantFrom('UTC', 'Europe/Zagreb') }),
  ),
  migrations: fc.oneof(
    fc.record({ name: named }),
    fc.record({ description: maybe(text) }),
    fc.record({ mode: fc.constantFrom('Insert', 'Upsert', 'Truncate', 'Sync') }),
    fc.record({ minimumSourceRows: maybe(fc.integer({ min: 0, max: 3 })) }),
    fc.record({ keyColumns: maybe(fc.subarray(['id', 'total'])) }),
    fc.record({ incremental: maybe(fc.constant({ column: 'id', lookbackSeconds: 60 })) }),
    fc.record({ deletedShareMax: maybe(fc.constantFrom(0, 0.2, 1)) }),
    fc.record({ cronExpression: maybe(fc.constantFrom('0 8 * * *', '30 9 * * 1')) }),
    fc.record({ timeZone: maybe(fc.constantFrom('UTC', 'Europe/Zagreb')) }),
    fc.record({ isEnabled: maybe(fc.boolean()) }),
  ),
  'settings/service.yaml': fc.oneof(
    fc.record({ baseUrl: maybe(fc.constantFrom('https://a.example.org/svc', 'http://b.example.org/svc/')) }),
    fc.record({ defaultTimeZone: fc.constantFrom('UTC', 'Europe/Zagreb') }),
    fc.record({
      llmConnection: maybe(
        fc.record({
          provider: fc.constant('Anthropic'),
          model: text.map((value) => `m${value.trim()}`),
          fastModel: maybe(fc.constantFrom('small', 'smaller')),
          prices: fc.constant({ main: { inputPerMillion: 1, outputPerMillion: 2 } }),
        }),
      ),
    }),
    fc.record({
      llmLimits: maybe(
        fc.record({
          monthlyBudget: fc.option(fc.integer({ min: 1, max: 9 })),
          callsPerMinute: fc.integer({ min: 1, max: 9 }),
        }),
      ),
    }),
  ),
  'settings/mcp.yaml': fc.oneof(
    fc.record({ maxRows: fc.integer({ min: 1, max: 999 }) }),
    fc.record({ instruction: maybe(text) }),
    fc.record({ disabledTools: maybe(fc.shuffledSubarray(['query', 'search', 'get_context'])) }),
    fc.record({ toolDescriptions: maybe(fc.dictionary(fc.constantFrom('query', 'search'), named)) }),
    fc.record({ piiPatterns: maybe(fc.shuffledSubarray(['^iban$', 'phone'])) }),
  ),
  mcp: fc.oneof(
    fc.record({ isEnabled: fc.boolean() }),
    fc.record({ maxRows: maybe(fc.constantFrom(20, 1_000)) }),
    fc.record({ disabledTools: maybe(fc.shuffledSubarray(['query', 'search'])) }),
  ),
} as const;
type Folder = keyof typeof edits;

const folderOf = (path: string): Folder | undefined => {
  const [top = '', , inner] = path.split('/');
  const folder =
    top === 'settings'
      ? path
      : inner === undefined || inner === 'project.yaml'
        ? top
        : inner.replace('.yaml', '');
  return folder in edits ? (folder as Folder) : undefined;
};

test('after random edits of files are applied, the next plan and the plan of a new export are empty', async () => {
  let files: Files = await exported(fixture.root);
  let count = 0;
  const edit = fc.record({ at: fc.nat(), ...edits });
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: editsOfRound, maxLength: editsOfRound }), async (list) => {
      for (const each of list) {
        const editable = files.filter(({ path }) => folderOf(path) !== undefined);
        const file = editable[each.at % editable.length];
        const folder = file && folderOf(file.path);
        if (!file || !folder) throw new Error('There is nothing to edit.');
        const next = { ...readYaml(file.content), ...(each[folder] as JsonObject) };
        file.content = writeYaml(JSON.parse(JSON.stringify(next)));
        count += 1;
      }
      // The service refuses two recipients with one name, in files and by hand.
      for (const file of files.filter(({ path }) => folderOf(path) === 'recipients'))
        file.content = writeYaml({ ...readYaml(file.content), name: file.path });
      const results = await planAndApply(fixture.root, files);
      expect(results.filter(({ outcome }) => outcome !== 'Done' && outcome !== 'Nothing')).toEqual([]);
      expect(changesOf((await planned(fixture.root, files)).steps)).toEqual([]);
      const after = await exported(fixture.root);
      expect(after.map(({ path }) => path)).toEqual(files.map(({ path }) => path));
      files = after;
      expect(changesOf((await planned(fixture.root, files)).steps)).toEqual([]);
    }),
    { numRuns: rounds, endOnFailure: true },
  );
  expect(count).toBe(rounds * editsOfRound);
}, 300_000);
