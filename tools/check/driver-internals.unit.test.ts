import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { driverInternalsIn, findDriverInternals } from './driver-internals.ts';

const pgFirst = "import type pg from 'pg';\n";

test.each([
  ['an undeclared name of the driver', 'const { processID } = client;'],
  ['an undeclared name of the driver', 'Object.assign(client, { _queryable: false });'],
  ['a query of another maker', 'const query = { submit, handleReadyForQuery() {} };'],
  ['an inner module of the driver', "import { serialize } from 'pg-protocol';"],
  ['an inner module of the driver', "import utils from 'pg/lib/utils.js';"],
  ['an undeclared option of a query', 'const a: pg.QueryConfig & { query_timeout: number } = b;'],
  [
    'a cast past the declared types of the driver',
    `${pgFirst}const { stream } = connection as unknown as Own;`,
  ],
  ['a cast of a client', 'const { connection } = link.client as unknown as { connection: Own };'],
])('%s is reported: %s', (what, text) => {
  expect(driverInternalsIn(text).map((use) => use.what)).toEqual([what]);
});

test('the line of a use is reported', () => {
  expect(driverInternalsIn(`${pgFirst}\nwire.endCopyFrom();\n`)).toMatchObject([{ line: 3 }]);
});

test('declared names of the driver and unrelated casts are accepted', () => {
  const text = `${pgFirst}client.query({ text }); pool.on('error', hear); const a = rows[0] as Row;`;
  expect(driverInternalsIn(text)).toEqual([]);
  expect(driverInternalsIn('const own = reply as unknown as Reply;')).toEqual([]);
  expect(driverInternalsIn("import m from 'mysql2';\nconst s = client as unknown as Own;")).toEqual([]);
});

test('a planted file and its test are reported, but not a file of the package that wraps the driver', () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'svc-internals-'));
  const files = ['packages/jobs/src/a.ts', 'packages/jobs/src/a.test.ts', 'packages/pg-wire/src/a.ts'];
  try {
    for (const file of files) {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      writeFileSync(path.join(root, file), "import { serialize } from 'pg-protocol';\n");
    }
    const named = findDriverInternals(root, ['packages']).map((fault) => fault.split(':')[0]);
    expect(named).toEqual(['packages/jobs/src/a.test.ts', 'packages/jobs/src/a.ts']);
  } finally {
    rmSync(root, { recursive: true });
  }
});
