import { fourfoldGrowth, linearGrowthMax } from '@svc/testkit/values/growth.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BusinessRuleError } from '../../../platform/http/index.ts';
import type { TermRow } from '../store.ts';
import { readRecords } from './read.ts';
import { readSynonyms, writeSynonyms } from './synonyms-text.ts';
import { termOf } from './term-of.ts';
import { termsAsCsv } from './write.ts';

const sources = [
  { id: 7, name: 'Shop, "main"' },
  { id: 8, name: '=Lager' },
];
const content = {
  dataSourceId: null,
  term: 'Revenue',
  synonyms: [],
  definition: 'What customers paid.',
  target: null,
  metricExpression: null,
  isActive: true,
};
const rowOf = (part: Partial<TermRow>): TermRow => ({
  id: 1,
  projectId: 1,
  projectName: 'p',
  dataSourceName: null,
  isBroken: false,
  isLinked: true,
  brokenReason: null,
  checkedAt: null,
  createdTime: new Date(0),
  updatedAt: new Date(0),
  version: 1,
  ...content,
  ...part,
});
const written = async (terms: readonly TermRow[]): Promise<string> => {
  const pieces: string[] = [];
  for await (const piece of termsAsCsv(terms)) pieces.push(piece);
  return pieces.join('');
};
const read = (document: string) =>
  readRecords(document).map((record) => termOf(record, { before: null, sources }));

describe('a glossary that is exported and imported again', () => {
  // Stored texts are trimmed, not blank and without NUL.
  const text = (maxLength: number) =>
    fc
      .string({ unit: 'binary', minLength: 1, maxLength })
      .map((value) => value.toWellFormed().replaceAll('\0', '').trim())
      .filter((value) => value !== '' && value.length <= maxLength);
  const odd = fc.constantFrom(
    '=1+1',
    "'=1+1",
    "''@x",
    '-5',
    '"',
    'a;b',
    'a\\;b',
    'a\\',
    'x\r\ny',
    '\u{1f600},',
  );
  const word = fc.oneof(text(40), odd);
  const term = fc.record({
    term: word,
    synonyms: fc.uniqueArray(word, { maxLength: 5, selector: (one) => one.toLowerCase() }),
    definition: word,
    isActive: fc.boolean(),
    source: fc.constantFrom(null, ...sources),
    target: fc.record({ schema: fc.constantFrom('', 'public'), table: word, column: fc.option(word) }),
    metricExpression: fc.option(word),
  });

  test('is unchanged for any content', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(term, { minLength: 1, maxLength: 6 }), async (terms) => {
        const rows = terms.map(({ source, target, metricExpression, ...rest }) =>
          rowOf({
            ...rest,
            synonyms: rest.synonyms.filter((one) => one.toLowerCase() !== rest.term.toLowerCase()),
            dataSourceId: source?.id ?? null,
            dataSourceName: source?.name ?? null,
            target: source && target,
            metricExpression: source && metricExpression,
          }),
        );
        const kept = rows.map(
          ({ term: word, synonyms, definition, dataSourceId, target, metricExpression, isActive }) => ({
            term: word,
            synonyms,
            definition,
            dataSourceId,
            target,
            metricExpression,
            isActive,
          }),
        );
        expect(read(await written(rows))).toEqual(kept);
      }),
      { numRuns: 300, seed: 11 },
    );
  });

  test('has the same synonyms for any content', () => {
    fc.assert(
      fc.property(fc.array(word), (synonyms) => {
        expect(readSynonyms(writeSynonyms(synonyms))).toEqual(synonyms);
      }),
      { numRuns: 500, seed: 12 },
    );
  });

  test('contains no cell that a spreadsheet interprets as a formula', async () => {
    const document = await written([rowOf({ term: '=cmd()', definition: '@sum', metricExpression: '-1' })]);
    expect(document).toContain("'=cmd(),");
    expect(document).toContain("'@sum");
  });
});

describe('a document written by a user', () => {
  test.each([
    ['semicolons', 'term;definition;synonyms\nA;B;"c;d"'],
    ['tabs', 'term\tdefinition\tsynonyms\nA\tB\tc;d'],
    ['a byte order mark, other line ends and other letters', '\uFEFFTERM,Definition,Synonyms\r\nA,B,c;d\r\n'],
    ['quotation marks and blank lines', '"term","definition","synonyms"\n\n"A","B","c; d"\n,,\n\n'],
    ['columns in another order', 'synonyms,definition,term\nc;d,B,A'],
  ])('is read with %s', (_what, document) => {
    expect(read(document)).toEqual([{ ...content, term: 'A', definition: 'B', synonyms: ['c', 'd'] }]);
  });

  test('does not change the fields of an existing term that its header omits', () => {
    const target = { schema: 'public', table: 'orders', column: null };
    const before = {
      ...content,
      dataSourceId: 7,
      target,
      metricExpression: 'sum(x)',
      synonyms: ['Turnover'],
    };
    const [record] = readRecords('term,definition\nREVENUE,Paid.');
    expect(record && termOf(record, { before, sources })).toEqual({
      ...before,
      term: 'REVENUE',
      definition: 'Paid.',
    });
    const [cleared] = readRecords('term,definition,synonyms,table,metricExpression\nRevenue,Paid.,,,');
    expect(cleared && termOf(cleared, { before, sources })).toMatchObject({
      synonyms: [],
      target: null,
      metricExpression: null,
      dataSourceId: 7,
    });
  });

  test('reports the line in which each record begins, even after records with line breaks', () => {
    const document = 'term,definition\n"A","one\ntwo\n\nfive"\n\nB,x\r\n"C\n","y"\nD,z';
    expect(readRecords(document).map(({ line }) => line)).toEqual([2, 7, 8, 10]);
  });

  const heading = 'term,definition,dataSource,schema,table,column,synonyms,metricExpression,isActive';
  test.each([
    [',x', 'term', 'is empty'],
    ['A,', 'definition', 'is empty'],
    [`${'a'.repeat(201)},x`, 'term', 'is longer than 200 characters'],
    [`A,${'a'.repeat(2_001)}`, 'definition', 'is longer than 2,000 characters'],
    ['A,x,Nowhere', 'dataSource', 'is no data source of the project'],
    ['A,x,,public', 'table', 'is missing beside a schema or a column'],
    ['A,x,,,,id', 'table', 'is missing beside a schema or a column'],
    [`A,x,,,,,${'s;'.repeat(21)}`, 'synonyms', 'are more than 20'],
    [`A,x,,,,,,${'1'.repeat(2_001)}`, 'metricExpression', 'is longer than 2,000 characters'],
    ['A,x,,,,,,,maybe', 'isActive', 'is neither true nor false'],
  ])('refuses record %# and names the column', (line, column, message) => {
    expect(read(`${heading}\n${line}`)).toEqual([{ column, message }]);
  });
});

describe('a malformed document', () => {
  const refusal = (document: string): string => {
    try {
      readRecords(document);
      return 'read';
    } catch (error) {
      if (error instanceof BusinessRuleError) return error.message;
      throw error;
    }
  };

  test.each([
    ['nothing', ' \n ', 'no column'],
    ['an unclosed quotation mark', 'term,definition\nA,"b\nc', 'opened and not closed'],
    ['text after a closing quotation mark', 'term,definition\nA,"b"c', 'closes a cell'],
    ['an unknown column', 'term,constructor\nA,b', '“constructor” is no column'],
    ['a duplicate column', 'term,Term\nA,b', 'twice'],
    ['no term', 'definition\nb', 'term is missing'],
    ['a prototype', '__proto__,term\nA,b', 'no column'],
    ['200,000 columns', `${'term,'.repeat(200_000)}\n`, 'too many columns'],
    ['too many terms', `term,definition\n${'A,b\n'.repeat(3_000)}`, 'more than 2000 terms'],
    ['JSON', '{"term": "A"}', 'Line 1'],
    ['a file of another kind', 'PK\u0003\u0004\u0014\u0006', 'Line 1'],
  ])('of %s is refused with the line', (_what, document, words) => {
    expect(refusal(document)).toMatch(/^The document cannot be read\. Line \d+: /);
    expect(refusal(document)).toContain(words);
  });

  test.each<readonly [string, (length: number) => string]>([
    ['columns', (length) => `${'term,'.repeat(length / 5)}\n`],
    ['terms', (length) => `term,definition\n${'A,b\n'.repeat(length / 4)}`],
    ['quotation marks', (length) => `term,definition\nA,"${'""'.repeat(length / 2)}`],
    ['lines of one cell', (length) => `term,definition\nA,"${'\n'.repeat(length)}`],
  ])('is read or refused in time that grows with its length: %s', (_title, textOf) => {
    expect(fourfoldGrowth(textOf, refusal, 1_000_000)).toBeLessThan(linearGrowthMax);
  });

  test('is either read or refused with a message, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (rest) => {
        for (const start of ['', 'term,definition\n', 'term;definition;synonyms\n"'])
          for (const one of [start + rest]) {
            const said = refusal(one);
            if (said === 'read') for (const each of read(one)) expect(each).toBeTypeOf('object');
          }
      }),
      { numRuns: 500, seed: 13 },
    );
  });
});
