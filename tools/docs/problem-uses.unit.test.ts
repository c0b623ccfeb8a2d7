import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { problemCodes, problemGroups } from '../../packages/contract/src/index.ts';
import { dashboardCodes } from '../../packages/jobs-dashboard/src/problem.ts';
import { scanProblemUses } from './problem-uses.ts';

const root = path.join(import.meta.dirname, '../..');

describe('the table of problem codes', () => {
  const { uses, faults } = scanProblemUses(root);
  const codes = Object.keys(problemCodes);

  test('every refusal in the code names its code literally', () => {
    expect(faults).toEqual([]);
  });

  test('no code of the table is unused', () => {
    const used = new Set(uses.map(({ code }) => code));
    expect(codes.filter((code) => !used.has(code))).toEqual([]);
  });

  test('every code that is thrown is in the table', () => {
    const documentedCodes = new Set(codes);
    expect(uses.filter(({ code }) => !documentedCodes.has(code))).toEqual([]);
  });

  test('every code is in one group and has the form of an anchor', () => {
    const grouped = Object.values(problemGroups).flatMap((group) => Object.keys(group));
    expect(grouped.toSorted()).toEqual(codes.toSorted());
    expect(codes.filter((code) => !/^[a-z]+(-[a-z]+)*$/.test(code))).toEqual([]);
  });

  test('every meaning and next step is a sentence, and no title ends with a full stop', () => {
    const isSentence = (text: string) => /^[A-Z`].*\.$/.test(text);
    const rows = Object.entries(problemCodes);
    expect(rows.filter(([, { means, next }]) => !isSentence(means) || !isSentence(next))).toEqual([]);
    expect(rows.filter(([, { title }]) => !/^[A-Z].*[^.]$/.test(title))).toEqual([]);
  });

  test('the dashboard of the jobs gives its codes the statuses of the table', () => {
    const statuses = Object.keys(dashboardCodes).map((code) => [
      code,
      (problemCodes as Readonly<Record<string, { status: number | null }>>)[code]?.status,
    ]);
    expect(Object.fromEntries(statuses)).toEqual(dashboardCodes);
  });
});

test('the UI compares no code with a text or a pattern', () => {
  const folder = path.join(root, 'packages/web/src');
  const asks =
    /\.test\([^)]*\bcode\b|\bcode\s*[!=]==\s*['"`]|\bcode\??\.(startsWith|includes|match|endsWith)\(/;
  const files = globSync('**/*.{ts,tsx}', { cwd: folder });
  expect(files.length).toBeGreaterThan(100);
  expect(asks.test(`/antiforgery|csrf/.test(error.problem.code ?? '')`)).toBe(true);
  expect(files.filter((file) => asks.test(readFileSync(path.join(folder, file), 'utf8')))).toEqual([]);
});

describe('the scan of the code', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-codes-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const scan = (code: string, file = 'service.ts') => {
    const source = mkdtempSync(path.join(folder, 's-'));
    mkdirSync(path.join(source, 'src'), { recursive: true });
    writeFileSync(path.join(source, 'src', file), code);
    return scanProblemUses(source, ['src']);
  };

  test.each([
    [`throw badRequest('a-code', 'It is wrong.');`],
    [`throw new Refusal('a-code', { detail: 'No.' });`],
    [`throw unauthorized('No.', 'a-code');`],
    [`throw new ToolRefusal('a-code', 'No.');`],
    [`const codes = new Map<string, ConnectorErrorCode>([['08P01', 'a-code']]);`],
    [`const codes: Record<string, HttpProblemCode> = { other: 'a-code' };`],
    [`throw new ConnectorError(state === 'other' ? 'a-code' : code, '');`],
  ])('finds a use: %s', (code) => {
    expect(scan(code)).toEqual({ uses: [{ code: 'a-code', place: 'src/service.ts:1' }], faults: [] });
  });

  test('reports a code that is the result of a call', () => {
    const { faults } = scan(`throw badRequest(codeOf(x), 'It is wrong.');`);
    expect(faults).toEqual([expect.stringContaining('src/service.ts:1')]);
  });

  test('ignores tests and comparisons', () => {
    expect(scan(`throw badRequest('a-code', '');`, 'service.test.ts').uses).toEqual([]);
    expect(scan(`if (error.code === 'a-code') stop();`).uses).toEqual([]);
  });
});
