import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { DataContract } from '@svc/contract';
import { Ajv2019 } from 'ajv/dist/2019.js';
import addFormatsModule from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { nothingKept } from './kept.ts';
import { readDocument } from './reading/document.ts';
import { base, context, contractOf, rules, settings, tableOf } from './testing/sample.ts';
import { documentOf } from './writing/document.ts';
import { readYaml, writeYaml } from './yaml.ts';

const fixtures = path.join(import.meta.dirname, 'testing/fixtures');
const textOf = (name: string): string => readFileSync(path.join(fixtures, name), 'utf8');
const addFormats = addFormatsModule as unknown as (ajv: Ajv2019) => void;
const ajv = new Ajv2019({ strict: false, allErrors: true });
addFormats(ajv);
/** The official schema of version 3.1.0. */
const validate = ajv.compile(JSON.parse(textOf('odcs-json-schema-v3.1.0.json')));
const faults = (document: unknown) => (validate(document) ? [] : (validate.errors ?? []));

const whole = (rule: object) => ({ ...base, columns: [], config: {}, ...rule });
const roundTrip = (contract: DataContract) =>
  readDocument(readYaml(writeYaml(documentOf(contract, nothingKept))), context);

describe('a contract after export and import', () => {
  test('is valid against the official schema and has the same content', () => {
    const contract = contractOf(rules);
    expect(faults(documentOf(contract, nothingKept))).toEqual([]);
    const { drafts, report } = roundTrip(contract);
    expect([report.kept.filter(({ path: at }) => at.startsWith('/schema')), report.refused]).toEqual([
      [],
      [],
    ]);
    const [draft] = drafts;
    expect(draft?.input.rules.map(whole)).toEqual(rules);
    expect(draft?.input).toMatchObject({
      ...settings,
      cronExpression: '0 8 * * *',
      timeZone: 'Europe/Zagreb',
    });
  });

  test('has the same rules in the same order, for random selections of rules', () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    for (let round = 0; round < 200; round += 1) {
      const some = rules.filter(() => random(3) > 0).toSorted(() => random(3) - 1);
      if (some.length === 0) continue;
      const contract = contractOf(some);
      expect(faults(documentOf(contract, nothingKept))).toEqual([]);
      const { drafts, report } = roundTrip(contract);
      expect(report.refused).toEqual([]);
      expect(drafts[0]?.input.rules.map(whole)).toEqual(some);
    }
  });
});

describe('documents from other products', () => {
  const examples = readdirSync(fixtures).filter((name) => name.endsWith('.yaml'));
  const air = { ...tableOf('', 'Air_Quality', ['UniqueID', 'DataValue', 'air_quality_status']) };

  test('the examples of the standard become the expected rules and reports, and can be exported again', () => {
    const summaries = Object.fromEntries(
      examples.map((name) => {
        const { drafts, report } = readDocument(readYaml(textOf(name)), {
          ...context,
          tables: [
            air,
            tableOf('', 'tbl', ['rcvr_cntry_code']),
            tableOf('', 'transactions_tbl', ['account_id']),
          ],
        });
        for (const { input, kept } of drafts) {
          const rules = input.rules.map((rule, at) => ({
            ...base,
            columns: [],
            config: {},
            ...rule,
            id: at + 1,
          }));
          const again = documentOf({ ...contractOf([]), ...input, rules } as DataContract, kept);
          expect(faults(again)).toEqual([]);
          const reread = readDocument(readYaml(writeYaml(again)), { ...context, tables: [air] });
          if (input.tableName === air.name)
            expect(reread.drafts[0]?.input.rules.map(whole)).toEqual(input.rules.map(whole));
        }
        return [
          name,
          [drafts[0]?.input.rules.map(({ type }) => type), report.refused.length, report.kept.length],
        ];
      }),
    );
    expect(summaries).toEqual({
      'all-data-types.odcs.yaml': [['Schema'], 0, 4],
      'column-accuracy.odcs.yaml': [['Schema', 'CustomSql'], 0, 3],
      'column-completeness.odcs.yaml': [['Schema', 'NullRate'], 0, 3],
      'column-custom.odcs.yaml': [['Schema'], 0, 5],
      'column-validity.odcs.yaml': [['Schema', 'AcceptedValues'], 0, 3],
      'database-table-sla.odcs.yaml': [undefined, 1, 12],
      'table-column.odcs.yaml': [['Schema'], 0, 4],
    });
  });

  const read = (more: object, table: object = {}) =>
    readDocument(
      readYaml(
        JSON.stringify({
          apiVersion: 'v3.0.2',
          kind: 'DataContract',
          id: 'x',
          version: '1',
          status: 'active',
          schema: [{ name: 'customers', ...table }],
          ...more,
        }),
      ),
      context,
    );

  test('parts that are not evaluated are in the exported document again', () => {
    const servers = [{ server: 'prod', type: 'postgres', host: 'h', database: 'd', schema: 's', port: 5432 }];
    const text = { type: 'text', description: 'Is never late' };
    const soda = { type: 'custom', engine: 'soda', implementation: 'checks' };
    const level = { property: 'retention', value: 3, unit: 'y' };
    const { drafts, report } = read(
      { servers, tags: ['a'], slaProperties: [level], description: { purpose: 'Why', usage: 'How' } },
      {
        businessName: 'Customers',
        quality: [text, { rule: 'rowCount', mustBeGreaterThan: 0, dimension: 'coverage' }],
        properties: [{ name: 'id', required: true, unique: true, classification: 'public', quality: [soda] }],
      },
    );
    const [draft] = drafts;
    expect(draft?.input).toMatchObject({ description: 'Why', schemaName: 'public', tableName: 'customers' });
    expect(draft?.input.rules.map(({ type, config }) => [type, config])).toEqual([
      ['Schema', { expected: [{ name: 'id' }] }],
      ['NullRate', undefined],
      ['Uniqueness', undefined],
      ['Volume', { minRows: 1 }],
    ]);
    expect(report.kept.map((one) => one.path)).toEqual([
      '/slaProperties/0',

      '/id',
      '/version',
      '/status',
      '/servers',
      '/tags',
      '/schema/0/quality/0',
      '/schema/0/properties/0/quality/0',
    ]);
    const made = (draft?.input.rules ?? []).map((rule, at) => ({
      ...base,
      columns: [],
      config: {},
      ...rule,
      id: at + 1,
    }));
    const kept = draft && { ...draft.kept, rules: { 4: draft.rests[3] ?? {} } };
    const again = documentOf(
      { ...contractOf([]), ...draft?.input, rules: made } as DataContract,
      kept ?? nothingKept,
    );
    expect(faults(again)).toEqual([]);
    expect(again).toMatchObject({
      id: 'x',
      version: '1',
      servers,
      tags: ['a'],
      slaProperties: [level],
      description: { purpose: 'Why', usage: 'How' },
    });
    const [table] = again['schema'] as unknown as { properties: object[]; quality: object[] }[];
    expect(table).toMatchObject({ businessName: 'Customers' });
    expect(table?.properties[0]).toMatchObject({
      name: 'id',
      classification: 'public',
      required: true,
      quality: [soda, {}, {}],
    });
    expect(table?.quality).toMatchObject([
      text,
      { engine: 'svc' },
      { metric: 'rowCount', dimension: 'coverage' },
    ]);
  });

  test.each([
    [
      'an upper bound in percent',
      { metric: 'nullValues', mustBeLessOrEqualTo: 5, unit: 'percent' },
      { failAbove: 5, unit: 'Percent' },
    ],
    ['an exclusive upper bound', { metric: 'nullValues', mustBeLessThan: 5 }, { failAbove: 4, unit: 'Rows' }],
    ['a range from zero', { metric: 'nullValues', mustBeBetween: [0, 7] }, { failAbove: 7 }],
    ['a metric of 3.0', { rule: 'duplicateCount', mustBe: 0 }, { type: 'Uniqueness' }],
    [
      'a severity of another tool',
      { metric: 'nullValues', mustBe: 0, severity: 'error' },
      { severity: 'High' },
    ],
    [
      'a list of valid values with NULL',
      { metric: 'invalidValues', mustBe: 0, arguments: { validValues: [null, 'a', 1] } },
      { config: { values: ['a', 1] } },
    ],
    [
      'a query',
      { type: 'sql', query: 'select 1;', mustNotBe: 0 },
      { config: { sql: 'select case when (\nselect 1\n) <> 0 then 1 else 0 end as passed' } },
    ],
  ])('%s becomes a rule', (_title, check, rule) => {
    const { drafts, report } = read({}, { properties: [{ name: 'name', quality: [check] }] });
    expect(report.refused).toEqual([]);
    expect(drafts[0]?.input.rules[1]).toMatchObject(rule);
  });

  test.each([
    ['kept', 'exactly so many nulls', { metric: 'nullValues', mustBe: 5 }],
    ['kept', 'a strict bound in percent', { metric: 'nullValues', mustBeLessThan: 5, unit: 'percent' }],
    ['kept', 'two comparisons', { metric: 'nullValues', mustBe: 0, mustNotBe: 1 }],
    ['kept', 'a metric that is not known', { metric: 'skewness', mustBe: 0 }],
    ['kept', 'a placeholder', { type: 'sql', query: 'select count(*) from {object}', mustBe: 0 }],
    ['refused', 'no query', { type: 'sql', mustBe: 0 }],
    ['refused', 'a type that is none', { type: 'magic' }],
    [
      'refused',
      'a rule of ours that is none',
      { type: 'custom', engine: 'svc', implementation: { type: 'Magic' } },
    ],
    ['refused', 'a list', ['a']],
    [
      'refused',
      'a column of another table',
      { metric: 'duplicateValues', mustBe: 0, arguments: { properties: ['nothing'] } },
    ],
  ] as const)('the import report lists as %s: %s', (where, _title, check) => {
    const { report } = read(
      {},
      { quality: [{ metric: 'rowCount', mustBe: 1 }], properties: [{ name: 'id', quality: [check] }] },
    );
    expect(report[where].map((one) => one.path)).toContain('/schema/0/properties/0/quality/0');
  });

  test('an age becomes a freshness rule in each known unit, and the ambiguous unit `m` does not', () => {
    const level = (unit: string) => ({ property: 'latency', value: 2, unit, element: 'orders.placed_at' });
    const { drafts, report } = read({
      schema: [{ name: 'public.orders', physicalName: 'public.orders' }],
      slaProperties: ['d', 'hours', 'min', 'm'].map((unit) => ({
        ...level(unit),
        element: `public.${level(unit).element}`,
      })),
    });
    expect(drafts[0]?.input.rules.map(({ config }) => config?.maxAgeMinutes)).toEqual([2_880, 120, 2]);
    expect(report.kept.map((one) => one.path)).toContain('/slaProperties/3');
  });

  test('each table becomes a contract, also a table that does not exist yet, and an ambiguous table is refused', () => {
    const quality = [{ metric: 'rowCount', mustBeGreaterThan: 0 }];
    const { drafts, report } = read({
      name: 'Shop',
      schema: ['customers', 'public.orders', 'orders', 'nowhere', 7].map((name) =>
        typeof name === 'string' ? { name, quality } : name,
      ),
    });
    expect(drafts.map(({ input }) => [input.name, input.schemaName])).toEqual([
      ['Shop: customers', 'public'],
      ['Shop: orders', 'public'],
      ['Shop: nowhere', ''],
    ]);
    expect(report.refused.map((one) => one.path)).toEqual(['/schema/2', '/schema/4']);
  });
});
