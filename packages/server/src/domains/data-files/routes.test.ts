import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createConnectors, createFilePolicy } from '@svc/connectors';
import type { DataFile } from '@svc/contract';
import type { TestDatabase } from '@svc/testkit/database/database.ts';
import { createUser } from '@svc/testkit/people/users.ts';
import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import { person, type RouteApp, startRouteApp } from '@svc/testkit/service/route-app.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRunSql } from '../../gateways/run-sql/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { createDatabase, type Database, openPool } from '../../platform/db/index.ts';
import { createAudit } from '../audit/index.ts';
import { createDataFilesService, dataFileRoutes } from './index.ts';

const uploadBytesMax = 1_000;
const route = '/svc/api/data-sources/files';
let own: TestDatabase;
let database: Database;
let folder: string;
let files: string;
const apps: RouteApp[] = [];
const connectors = createConnectors({ files: { allowedFolders: [] } });
const runSql = createRunSql({ connectors, dial: () => Promise.reject(new Error('no network')) });
let app: RouteApp;

/** Serves the routes over folders of the test, to an administrator of data sources. */
async function serve(
  folders: readonly string[],
  bytesMax = uploadBytesMax,
  ownFolder = folders[0] ?? '',
): Promise<RouteApp> {
  const service = createDataFilesService({
    database,
    audit: createAudit(systemClock),
    policy: createFilePolicy({ allowedFolders: folders, dataDirectory: path.join(folder, 'data') }),
    folders,
    ownFolder,
    uploadBytesMax: bytesMax,
    connectors,
    runSql,
    masking: { customPatterns: [] },
  });
  const made = await startRouteApp(dataFileRoutes(service, bytesMax));
  const userId = await createUser(database, `keeper-${apps.length}`);
  made.callers.set('keeper', person(userId, { permissions: new Set(['DataSourceAdmin']) }));
  made.callers.set('editor', person(userId, { role: 'Editor' }));
  apps.push(made);
  return made;
}

/** Uploads bytes under a name, as the web pages do. */
async function upload(
  name: string,
  bytes: string | Buffer,
  on = app,
  as = 'keeper',
  contentType: string | null = 'application/octet-stream',
) {
  const answer = await fetch(`${on.origin}${route}?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { authorization: as, ...(contentType !== null && { 'content-type': contentType }) },
    body: new Uint8Array(Buffer.from(bytes)),
  });
  // Tests read any member of the body; a wrong assumption fails the test.
  return { status: answer.status, body: (await answer.json()) as Partial<DataFile> & { code?: string } };
}

beforeAll(async () => {
  own = await createMigratedDatabase();
  database = createDatabase(openPool({ connection: own.connection }));
  folder = mkdtempSync(path.join(os.tmpdir(), 'svc-data-files-'));
  files = path.join(folder, 'data', 'files');
  mkdirSync(files, { recursive: true });
  app = await serve([files]);
});
afterAll(async () => {
  for (const each of apps) await each.close();
  await connectors.close();
  await database.pool.end();
  await own.drop();
  rmSync(folder, { recursive: true });
});

describe('status 200', () => {
  test('lists the supported files below the folder, newest first, and no link to a file outside', async () => {
    const listed = path.join(folder, 'data', 'listed');
    mkdirSync(path.join(listed, 'sales'), { recursive: true });
    writeFileSync(path.join(listed, 'sales', 'Orders 2026.CSV'), 'id\n1\n');
    writeFileSync(path.join(listed, 'shop.db'), '');
    utimesSync(path.join(listed, 'shop.db'), 1_000, 1_000);
    writeFileSync(path.join(listed, '.hidden.csv'), 'id\n');
    writeFileSync(path.join(listed, 'notes.pdf'), 'x');
    writeFileSync(path.join(folder, 'outside.csv'), 'secret\n');
    symlinkSync(path.join(folder, 'outside.csv'), path.join(listed, 'link.csv'));
    const on = await serve([listed, path.join(folder, 'missing')]);
    const { status, body } = await on.call('keeper', `GET ${route}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ isCut: false, uploadBytesMax });
    expect(body.items).toMatchObject([
      { name: 'sales/Orders 2026.CSV', engine: 'DuckDB', tableName: 'orders_2026', sizeBytes: 5 },
      { name: 'shop.db', engine: 'SQLite', tableName: 'shop', path: path.join(listed, 'shop.db') },
    ]);
  });
});

describe('status 201', () => {
  test('stores the bytes unchanged, returns their path and records the upload in the audit log', async () => {
    const { status, body } = await upload('Late orders.csv', 'id,amount\n1,20.5\n');
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body).toMatchObject({ name: 'Late orders.csv', engine: 'DuckDB', tableName: 'late_orders' });
    expect(readFileSync(body.path ?? '', 'utf8')).toBe('id,amount\n1,20.5\n');
    const { rows } = await database.query(
      "select detail from svc.audit_events where event = 'data_sources.file_uploaded'",
    );
    expect(rows).toEqual([{ detail: { name: 'Late orders.csv', sizeBytes: 17 } }]);
    expect((await app.call('keeper', `GET ${route}`)).body.items[0].path).toBe(body.path);
  });

  test('creates its own folder if it does not exist', async () => {
    const missing = path.join(folder, 'data', 'made');
    const on = await serve([missing]);
    expect((await upload('a.jsonl', '{"a":1}\n', on)).status).toBe(201);
    expect(readdirSync(missing)).toEqual(['a.jsonl']);
  });

  test('accepts Parquet by its signature', async () => {
    const parquet = Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(20, 0), Buffer.from('PAR1')]);
    expect((await upload('a.parquet', parquet)).status).toBe(201);
  });
});

test.each([
  ['Latin-1', 'latin.csv', Buffer.from([0x61, 0xe9, 0x0a])],
  ['UTF-16', 'wide.tsv', Buffer.from([0xff, 0xfe, 0x61, 0x00, 0x0a, 0x00])],
])('accepts a text file in %s with 201', async (_encoding, name, bytes) => {
  expect((await upload(name, bytes)).status).toBe(201);
});

describe('status 415', () => {
  test.each([
    'text/csv',
    'application/json',
    'text/plain; charset=utf-8',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'application/octet-streams',
    null,
  ])('refuses the content type %j with 415', async (contentType) => {
    const before = readdirSync(files);
    const { status, body } = await upload('typed.csv', 'id\n1\n', app, 'keeper', contentType);
    expect([status, body.code]).toEqual([415, 'bytes-required']);
    expect(readdirSync(files)).toEqual(before);
  });

  test('accepts the declared content type in any case and with parameters', async () => {
    const type = 'Application/Octet-Stream; name=a';
    expect((await upload('typed.csv', 'id\n1\n', app, 'keeper', type)).status).toBe(201);
  });
});

describe('status 400', () => {
  test.each(['a.json', 'a.jsonl', 'a.ndjson', 'A.JSON'])('refuses %s without valid JSON', async (name) => {
    for (const text of ['id,amount\n1,2\n', '{"a":1', '{"a":1}{"a":2}', '\ufeff{}']) {
      const { status, body } = await upload(name, text);
      expect([text, status, body.code]).toEqual([text, 400, 'file-content-refused']);
    }
  });

  test.each([
    '../escape.csv',
    'a/b.csv',
    'a\\b.csv',
    '/etc/cron.d/x.csv',
    '.hidden.csv',
    '..csv',
    'a..csv',
    'orders',
    'orders.csv.exe',
    'orders.txt',
    'orders.xls',
    'orders.mdb',
    '-rf.csv',
    'a\nb.csv',
    '%2e%2e%2fa.csv',
    'ordérs.csv',
  ])('refuses the file name %j', async (name) => {
    const before = readdirSync(files);
    const { status, body } = await upload(name, 'id\n1\n');
    expect([status, body.code]).toEqual([400, 'file-name-refused']);
    expect(readdirSync(files)).toEqual(before);
  });

  test.each([
    ['an empty file', 'empty.csv', ''],
    ['a database under the name of text', 'database.csv', 'SQLite format 3\0more'],
    ['a program under the name of text', 'program.csv', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1])],
    ['JSON that is not UTF-8', 'latin.json', Buffer.from([0x22, 0xe9, 0x22])],
    ['an unpaired surrogate in UTF-16', 'half.csv', Buffer.from([0xff, 0xfe, 0x61])],
    ['control characters in UTF-16', 'controls.csv', Buffer.from([0xff, 0xfe, 0x61, 0x00, 0x00, 0x00])],
    ['text under the name of Parquet', 'text.parquet', 'id,amount,customer\n1,2,3\n'],
    ['text under the name of a sheet', 'text.xlsx', 'id,amount\n1,2\n'],
    ['another archive under the name of a sheet', 'archive.xlsx', Buffer.from('PK\u0003\u0004 word.xml')],
    ['text under the name of a database', 'text.db', 'id,amount\n1,2\n'],
    ['text under the name of a DuckDB database', 'text.duckdb', 'id,amount\n1,2\n'],
  ])('refuses %s with 400', async (_what, name, bytes) => {
    const { status, body } = await upload(name, bytes);
    expect([status, body.code]).toEqual([400, 'file-content-refused']);
    expect(readdirSync(files)).not.toContain(name);
  });

  test('refuses a name that is too long or missing', async () => {
    expect((await upload(`${'a'.repeat(120)}.csv`, 'id\n')).body.code).toBe('invalid-input');
    const unnamed = await fetch(`${app.origin}${route}`, {
      method: 'POST',
      headers: { authorization: 'keeper', 'content-type': 'application/octet-stream' },
      body: 'id\n',
    });
    expect(await unnamed.json()).toMatchObject({ code: 'invalid-input' });
  });
});

describe('status 403', () => {
  test('refuses a user who cannot create data sources, for the list and for uploads', async () => {
    expect((await app.call('editor', `GET ${route}`)).status).toBe(403);
    expect((await upload('editor.csv', 'id\n1\n', app, 'editor')).status).toBe(403);
    expect(readdirSync(files)).not.toContain('editor.csv');
  });
});

describe('status 409', () => {
  test('overwrites no file and follows no dangling link', async () => {
    writeFileSync(path.join(files, 'there.csv'), 'first\n');
    symlinkSync(path.join(folder, 'nowhere.csv'), path.join(files, 'link.csv'));
    expect((await upload('there.csv', 'second\n')).body.code).toBe('file-exists');
    expect(readFileSync(path.join(files, 'there.csv'), 'utf8')).toBe('first\n');
    expect((await upload('link.csv', 'second\n')).status).toBe(409);
    expect(readdirSync(folder)).not.toContain('nowhere.csv');
  });

  test('stores one of two simultaneous files with the same name, and no part of the other', async () => {
    const answers = await Promise.all(['first', 'second'].map((text) => upload('race.csv', `${text}\n`)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(readdirSync(files).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('refuses uploads if they are disabled or if the folder of the operator does not exist', async () => {
    const off = await serve([files], 0);
    expect((await upload('off.csv', 'x', off)).body.code).toBe('uploads-off');
    const missing = await serve([path.join(folder, 'mount')], uploadBytesMax, files);
    expect((await upload('a.csv', 'id\n', missing)).body.code).toBe('uploads-off');
    expect(readdirSync(folder)).not.toContain('mount');
  });
});

describe('status 413', () => {
  test('refuses a file that exceeds the upload limit', async () => {
    const { status, body } = await upload('large.csv', 'x'.repeat(uploadBytesMax + 1));
    expect([status, body.code]).toEqual([413, 'body-too-large']);
    expect(readdirSync(files)).not.toContain('large.csv');
  });
});
