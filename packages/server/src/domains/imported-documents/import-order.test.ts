import type { TestDatabase } from '@svc/testkit/database/database.ts';
import { addProject } from '@svc/testkit/people/project-records.ts';
import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDatabase, type Database, openPool } from '../../platform/db/index.ts';
import { createImports } from './index.ts';
import type { DocumentSource } from './types.ts';

let testDatabase: TestDatabase;
let database: Database;
let project: number;

beforeAll(async () => {
  testDatabase = await createMigratedDatabase();
  database = createDatabase(openPool({ connection: testDatabase.connection }));
});
afterAll(async () => {
  await database.pool.end();
  await testDatabase.drop();
});
beforeEach(async () => {
  project = await addProject(database, { name: 'Shop', accessMode: 'Restricted', members: [] });
});

type Read = () => Promise<{ path: string; content: string }[]>;

/** Creates the imports of a process that has these sources. */
const processWith = (sources: Readonly<Record<string, Read>>) =>
  createImports({
    database,
    log: pino({ level: 'silent' }),
    sources: Object.entries(sources).map(([name, read]): DocumentSource => ({ project, name, read })),
  });
const text =
  (content: string): Read =>
  async () => [{ path: 'terms.md', content }];

/** Creates a source whose reading waits until the test releases it. */
function slow(content: string) {
  const began = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const read: Read = async () => {
    began.resolve();
    await released.promise;
    return [{ path: 'terms.md', content }];
  };
  return { read, began: began.promise, release: () => released.resolve() };
}

/** Returns source and text of the live documents. */
const live = async () => {
  const { rows } = await database.query<{ source: string; content: string }>(
    `select source, content from svc.imported_documents where project_id = $1 and archived_at is null order by source`,
    [project],
  );
  return rows.map(({ source, content }) => [source, content]);
};

describe('an import that began before another import', () => {
  test('does not archive the documents of a source that the newer import has stored', async () => {
    const wiki = slow('Wiki');
    const older = processWith({ wiki: wiki.read }).run();
    await wiki.began;
    await processWith({ wiki: text('New wiki'), dictionary: text('Dictionary') }).run();
    wiki.release();
    expect(await older).toMatchObject({ imported: 0, archived: 0 });
    expect(await live()).toEqual([
      ['dictionary', 'Dictionary'],
      ['wiki', 'New wiki'],
    ]);
  });

  test('does not restore the documents of a source that the newer import no longer has', async () => {
    await processWith({ dictionary: text('Stored') }).run();
    const dictionary = slow('Changed');
    const older = processWith({ dictionary: dictionary.read }).run();
    await dictionary.began;
    expect(await processWith({}).run()).toMatchObject({ archived: 1 });
    dictionary.release();
    expect(await older).toMatchObject({ imported: 0, archived: 0 });
    expect(await live()).toEqual([]);
  });

  test('does not add the documents of a new source that the newer import does not have', async () => {
    const dictionary = slow('First');
    const older = processWith({ dictionary: dictionary.read }).run();
    await dictionary.began;
    await processWith({}).run();
    dictionary.release();
    await older;
    expect(await live()).toEqual([]);
  });

  test('reports that a newer reading superseded its reading, which is not a failure to read', async () => {
    const dictionary = slow('Old');
    const older = processWith({ dictionary: dictionary.read }).runFor(project);
    await dictionary.began;
    const newer = await processWith({ dictionary: text('New') }).runFor(project);
    dictionary.release();
    const counts = { source: 'dictionary', isRead: true, leftOut: [] };
    expect(newer).toEqual([{ ...counts, isSuperseded: false, imported: 1, archived: 0 }]);
    expect(await older).toEqual([{ ...counts, isSuperseded: true, imported: 0, archived: 0 }]);
    expect(await live()).toEqual([['dictionary', 'New']]);
  });
});

test('an import archives a source that no process has, also one without a stored reading', async () => {
  await processWith({ wiki: text('Wiki'), dictionary: text('Dictionary') }).run();
  await database.query('delete from svc.document_readings where project_id = $1 and source = $2', [
    project,
    'dictionary',
  ]);
  expect(await processWith({}).run()).toMatchObject({ archived: 2 });
  expect(await live()).toEqual([]);
  await processWith({ wiki: text('Wiki') }).run();
  expect(await live()).toEqual([['wiki', 'Wiki']]);
});
