import type { DocumentImport, ImportedDocument } from '@svc/contract';
import type { TestDatabase } from '@svc/testkit/database/database.ts';
import { addProject } from '@svc/testkit/people/project-records.ts';
import { createUser } from '@svc/testkit/people/users.ts';
import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import { keyOf, person, type RouteApp, startRouteApp } from '@svc/testkit/service/route-app.ts';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { createDatabase, type Database, openPool } from '../../platform/db/index.ts';
import { createAudit } from '../audit/index.ts';
import {
  createDocumentUploads,
  createImportedDocumentsService,
  createImportNow,
  createImports,
  importedDocumentRoutes,
} from './index.ts';
import { type DocumentSource, documentBytesMax, documentsMax } from './types.ts';

let testDatabase: TestDatabase;
let database: Database;
let app: RouteApp;
let shop: number;
let other: number;
let withoutSource: number;
/** Texts of the source `dictionary` of the project Shop; a test may replace them. */
let read: () => Promise<{ path: string; content: string }[]> = async () => [];
const sources: DocumentSource[] = [
  { project: 'Shop', name: 'dictionary', read: () => read() },
  { project: 'Shop', name: 'upload', read: () => [{ path: 'same-name.md', content: 'Of the import' }] },
];

beforeAll(async () => {
  testDatabase = await createMigratedDatabase();
  database = createDatabase(openPool({ connection: testDatabase.connection }));
  const audit = createAudit(systemClock);
  const { runFor } = createImports({ database, log: pino({ level: 'silent' }), sources });
  app = await startRouteApp(
    importedDocumentRoutes({
      documents: createImportedDocumentsService({ database }),
      uploads: createDocumentUploads({ database, audit }),
      importNow: createImportNow({ database, audit, runFor }),
    }),
  );
  const chief = await createUser(database, 'chief');
  const editor = await createUser(database, 'editor');
  const members: [number, 'ProjectAdmin' | 'Editor'][] = [
    [chief, 'ProjectAdmin'],
    [editor, 'Editor'],
  ];
  shop = await addProject(database, { name: 'Shop', accessMode: 'Restricted', members });
  other = await addProject(database, { name: 'Other', accessMode: 'Restricted', members });
  withoutSource = await addProject(database, {
    name: 'Bare',
    accessMode: 'Restricted',
    members,
  });
  const ofChief = person(chief, { role: 'Editor' });
  app.callers.set('chief', ofChief);
  app.callers.set('editor', person(editor, { role: 'Editor' }));
  app.callers.set('stranger', person(await createUser(database, 'stranger'), { role: 'Editor' }));
  app.callers.set('chiefKey', keyOf(ofChief, 'Execute', [shop]));
});
afterAll(async () => {
  await app.close();
  await database.pool.end();
  await testDatabase.drop();
});

const base = (project: number) => `/svc/api/projects/${project}/imported-documents` as const;
type Answer = { readonly status: number; readonly body: Partial<ImportedDocument> & { code?: string } };

/** Sends the bytes of a document, as the pages do. */
async function send(
  method: 'POST' | 'PUT',
  path: string,
  content: string | Buffer,
  { as = 'chief', type = 'application/octet-stream' } = {},
): Promise<Answer> {
  const answer = await fetch(app.origin + path, {
    method,
    headers: { authorization: as, 'content-type': type },
    body: new Uint8Array(Buffer.from(content)),
  });
  return { status: answer.status, body: (await answer.json()) as Answer['body'] };
}
const upload = (name: string, content: string | Buffer, project = shop, options = {}) =>
  send('POST', `${base(project)}?name=${encodeURIComponent(name)}`, content, options);
const text = async (id: number | undefined, project = shop) =>
  (await app.call('chief', `GET ${base(project)}/${id}`)).body;
const titles = async (filter = '') =>
  (await app.call('chief', `GET ${base(shop)}${filter}`)).body.items.map(
    ({ title }: ImportedDocument) => title,
  );
const importNow = (project = shop, as = 'chief') =>
  app.call(as, `POST /svc/api/projects/${project}/document-import`);

describe('a project admin', () => {
  test('uploads, finds, replaces and removes a document, and each change is audited', async () => {
    const { status, body } = await upload('Late orders.md', '# Late\n\nAfter 3 days.');
    expect(status).toBe(201);
    expect(body).toMatchObject({
      title: 'Late',
      path: 'Late orders.md',
      isUploaded: true,
      uploadedBy: 'chief',
    });
    expect(await titles('?search=3%20DAYS')).toEqual(['Late']);
    const page = '<!doctype html><title>Too late</title><p>After <b>4</b> days.<script>alert(1)</script>';
    expect((await send('PUT', `${base(shop)}/${body.id}`, page)).status).toBe(200);
    expect(await text(body.id)).toMatchObject({
      title: 'Too late',
      path: 'Late orders.md',
      content: 'After 4 days.',
      byteLength: page.length,
    });
    expect((await app.call('chief', `DELETE ${base(shop)}/${body.id}`)).status).toBe(204);
    expect((await app.call('chief', `GET ${base(shop)}/${body.id}`)).status).toBe(404);
    const { rows } = await database.query(
      `select event, detail from svc.audit_events where subject_kind = 'imported_document' and subject_id = $1
       order by id`,
      [body.id],
    );
    const name = 'Late orders.md';
    expect(rows).toEqual([
      { event: 'projects.document_uploaded', detail: { name, sizeBytes: 21 } },
      { event: 'projects.document_replaced', detail: { name, sizeBytes: page.length, sizeBytesBefore: 21 } },
      { event: 'projects.document_removed', detail: { name, sizeBytes: page.length } },
    ]);
    const left = await database.query('select from svc.imported_documents where id = $1', [body.id]);
    expect(left.rowCount).toBe(0);
  });

  test('imports the sources of the project immediately, and gets the list of documents that were left out', async () => {
    read = async () => [
      { path: 'terms.md', content: '# Terms' },
      { path: '../outside.md', content: 'Outside' },
    ];
    const { status, body } = await importNow();
    expect(status).toBe(200);
    const [dictionary] = (body as DocumentImport).sources;
    expect(dictionary).toEqual({
      source: 'dictionary',
      isRead: true,
      isSuperseded: false,
      imported: 1,
      archived: 0,
      leftOutCount: 1,
      leftOut: [{ path: '../outside.md', reason: 'bad-path' }],
    });
    read = async () => Promise.reject(new Error('The dictionary is unavailable.'));
    const [unread] = ((await importNow()).body as DocumentImport).sources;
    expect(unread).toMatchObject({ source: 'dictionary', isRead: false, imported: 0, archived: 0 });
    expect(await titles()).toContain('Terms');
    read = async () => [];
    const [emptied] = ((await importNow()).body as DocumentImport).sources;
    expect(emptied).toMatchObject({ isRead: true, imported: 0, archived: 1 });
    await importNow();
    const { rows } = await database.query(
      `select detail -> 'sources' as sources from svc.audit_events where event = 'projects.documents_imported'
         and project_id = $1 order by id`,
      [shop],
    );
    // An import without changes is not audited, and neither is a source without changes.
    expect(rows).toMatchObject([
      {
        sources: [
          { source: 'dictionary', imported: 1 },
          { source: 'upload', imported: 1 },
        ],
      },
      { sources: [{ source: 'dictionary', archived: 1 }] },
    ]);
    expect(rows.map(({ sources: changed }) => changed.length)).toEqual([2, 1]);
  });

  test('retains an uploaded document through an import, also under the path and source of an imported one', async () => {
    const { body } = await upload('same-name.md', 'Uploaded');
    await importNow();
    expect(await text(body.id)).toMatchObject({ content: 'Uploaded', isUploaded: true });
    const { rows } = await database.query(
      `select content, is_uploaded as "isUploaded" from svc.imported_documents
       where project_id = $1 and path = 'same-name.md' and archived_at is null order by 2`,
      [shop],
    );
    expect(rows).toEqual([
      { content: 'Of the import', isUploaded: false },
      { content: 'Uploaded', isUploaded: true },
    ]);
  });
});

describe('refusals', () => {
  test.each([
    ['folder/orders.md', 'document-name-refused'],
    ['..md', 'document-name-refused'],
    ['.orders.md', 'document-name-refused'],
    ['orders', 'document-name-refused'],
    ['orders.pdf', 'document-name-refused'],
    ['orders.md\0', 'invalid-input'],
    ['a\nb.md', 'document-name-refused'],
    [`${'a'.repeat(200)}.md`, 'invalid-input'],
  ])('the document name %j gets 400', async (name, code) => {
    const { status, body } = await upload(name, 'Text');
    expect([status, body.code]).toEqual([400, code]);
  });

  test('content that is no document gets 400, on an upload and on a replacement', async () => {
    const { body } = await upload('sound.md', 'Sound');
    for (const content of ['', '%PDF-1.7', Buffer.from([0xff])])
      for (const answer of [
        await upload('unsound.md', content),
        await send('PUT', `${base(shop)}/${body.id}`, content),
      ])
        expect([answer.status, answer.body.code]).toEqual([400, 'document-content-refused']);
    expect(await text(body.id)).toMatchObject({ content: 'Sound' });
  });

  test('an upload gets 413 above the size limit, 201 at the limit, and 415 for another content type', async () => {
    expect((await upload('full.md', 'x'.repeat(documentBytesMax))).status).toBe(201);
    const { status, body } = await upload('over.md', 'x'.repeat(documentBytesMax + 1));
    expect([status, body.code]).toEqual([413, 'body-too-large']);
    const typed = await upload('typed.md', 'Text', shop, { type: 'text/markdown' });
    expect([typed.status, typed.body.code]).toEqual([415, 'bytes-required']);
  });

  test('an Editor and a key of a project admin get 403 on every change, and a stranger gets 404', async () => {
    const { body } = await upload('guarded.md', 'Text');
    for (const [as, status] of [
      ['editor', 403],
      ['chiefKey', 403],
      ['stranger', 404],
    ] as const) {
      expect((await upload('mine.md', 'Text', shop, { as })).status).toBe(status);
      expect((await send('PUT', `${base(shop)}/${body.id}`, 'Text', { as })).status).toBe(status);
      expect((await app.call(as, `DELETE ${base(shop)}/${body.id}`)).status).toBe(status);
      expect((await importNow(shop, as)).status).toBe(status);
    }
  });

  test('a document of another project gets 404', async () => {
    const { body } = await upload('here.md', 'Text');
    expect((await send('PUT', `${base(other)}/${body.id}`, 'Text')).status).toBe(404);
    expect((await app.call('chief', `DELETE ${base(other)}/${body.id}`)).status).toBe(404);
    expect(await text(body.id)).toMatchObject({ content: 'Text' });
  });

  test('a name that is in use, an imported document, and a project without a source get 409', async () => {
    await upload('taken.md', 'First');
    expect((await upload('taken.md', 'Second')).body.code).toBe('document-exists');
    read = async () => [{ path: 'imported.md', content: 'Imported' }];
    await importNow();
    const { rows } = await database.query<{ id: number }>(
      `select id from svc.imported_documents where path = 'imported.md'`,
    );
    const path = `${base(shop)}/${rows[0]?.id}` as const;
    for (const { status, body } of [
      await send('PUT', path, 'Text'),
      await app.call('chief', `DELETE ${path}`),
    ])
      expect([status, body.code]).toEqual([409, 'document-from-import']);
    expect(await text(rows[0]?.id)).toMatchObject({ content: 'Imported' });
    const { status, body } = await importNow(withoutSource);
    expect([status, body.code]).toEqual([409, 'no-document-source']);
  });

  test('a second import gets 409 while an import of the project is running, and succeeds after it', async () => {
    const ended = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    read = async () => {
      began.resolve();
      await ended.promise;
      return [];
    };
    const first = importNow();
    await began.promise;
    const second = await importNow();
    expect([second.status, second.body.code]).toEqual([409, 'document-import-running']);
    ended.resolve();
    expect((await first).status).toBe(200);
    expect((await importNow()).status).toBe(200);
  });

  test('an upload gets 409 at the maximum number of documents of a project', async () => {
    await database.query(
      `insert into svc.imported_documents (project_id, is_uploaded, source, path, title, content, content_hash, byte_length)
       select $1, true, 'upload', 'many-' || n || '.md', 'Many', 'Text', '\\x00', 4 from generate_series(2, $2) n`,
      [other, documentsMax],
    );
    expect((await upload('last.md', 'Text', other)).status).toBe(201);
    const { status, body } = await upload('over.md', 'Text', other);
    expect([status, body.code]).toEqual([409, 'too-many-documents']);
  });
});
