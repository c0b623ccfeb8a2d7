import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { generatePages } from './pages.ts';
import { scanProblemCodes } from './problem-codes.ts';

describe('pages written from the code', () => {
  test.each(generatePages().map(({ file, content }) => [path.basename(file), file, content]))(
    '%s says what the code says; "npm run docs" writes it anew',
    (_name, file, content) => {
      expect(existsSync(file) ? readFileSync(file, 'utf8') : '').toBe(content);
    },
  );

  test('every row of the errors page says something', () => {
    const page = generatePages().find(({ file }) => file.endsWith('errors.md'));
    const ofStatuses = page?.content.split('## From')[0] ?? '';
    const rows = ofStatuses.split('\n').filter((line) => line.startsWith('| `'));
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter((line) => /\|\s*\|$/.test(line))).toEqual([]);
  });
});

describe('codes of refusals', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-codes-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const scan = (code: string, file = 'service.ts') => {
    const source = mkdtempSync(path.join(folder, 's-'));
    mkdirSync(path.dirname(path.join(source, file)), { recursive: true });
    writeFileSync(path.join(source, file), code);
    return scanProblemCodes(source);
  };

  test.each([
    [`throw badRequest('a-code', 'It is wrong.');`, 400, 'It is wrong.'],
    [`throw forbidden('a-code', \`Not \${name}.\`);`, 403, 'Not ….'],
    [`const detail = 'Later.'; throw conflict('a-code', detail);`, 409, 'Later.'],
    [`throw new Refusal(422, { code: 'a-code', detail: 'No.' });`, 422, 'No.'],
    [`throw unauthorized('No.', 'a-code');`, 401, 'No.'],
    [`const f = () => { throw badRequest('a-code', sentenceOf(x)); };`, 400, null],
  ])('%s', (code, status, detail) => {
    expect(scan(code).uses).toMatchObject([{ code: 'a-code', status, detail, place: 'service.ts:1' }]);
  });

  test('the code of an error that brings its own is no fault', () => {
    const code = `throw badRequest(error.code, error.message);`;
    expect(scan(`import { ConnectorError } from '@svc/connectors'; ${code}`).faults).toEqual([]);
    expect(scan(code).faults).toHaveLength(1);
  });

  test('tests are not read', () => {
    expect(scan(`throw badRequest('a-code', '');`, 'service.test.ts').uses).toEqual([]);
  });

  test.each([`throw badRequest(code(), 'It is wrong.');`, `throw new Refusal(400, { code: codeOf(x) });`])(
    'a code that cannot be read is a fault: %s',
    (code) => {
      expect(scan(code).faults).toEqual([expect.stringContaining('service.ts:1')]);
    },
  );

  test('a new way of making refusals has to be made known', () => {
    const { faults } = scan(`export const teapot = () => new Refusal(418);`, 'platform/http/refusal.ts');
    expect(faults).toEqual([expect.stringContaining('makes refusals by teapot')]);
  });
});
