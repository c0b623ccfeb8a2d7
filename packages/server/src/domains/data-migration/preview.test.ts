import type { MigrationPreviewInput } from '@svc/contract';
import type { Answer } from '@svc/testkit/client/http-client.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type MigrationFixture, migrations, startMigrationFixture } from './testing/fixture.ts';

let fixture: MigrationFixture;

beforeAll(async () => {
  fixture = await startMigrationFixture();
});
afterAll(() => fixture.close());

beforeEach(async () => {
  await fixture.source.sql(`drop table if exists people; create table people (id int primary key, email text, seen_at timestamptz);
    insert into people select n, 'p' || n || '@example.com', now() from generate_series(1, 80) n`);
  await fixture.destination.sql(`drop table if exists people;
    create table people (id bigint primary key, email text, upper text generated always as (upper(email)) stored)`);
});

const preview = (change: Partial<MigrationPreviewInput> = {}): Promise<Answer> =>
  fixture.operator.post(`${migrations}/preview`, {
    dataSourceId: fixture.sourceId,
    source: { kind: 'Table', schema: 'public', table: 'people' },
    ...change,
  });
const to = (table: string): Partial<MigrationPreviewInput> => ({
  destinationDataSourceId: fixture.destinationId,
  destination: { schema: 'public', table },
});

describe('status 200', () => {
  test('the preview of a source returns its columns and marks columns with personal data', async () => {
    const { status, body } = await preview();
    expect(status).toBe(200);
    expect(body).toEqual({
      sourceColumns: [
        { name: 'id', type: 'integer', isPersonal: false },
        { name: 'email', type: 'text', isPersonal: true },
        { name: 'seen_at', type: 'timestamptz', isPersonal: false },
      ],
      destinationColumns: null,
      validation: null,
      rows: null,
    });
  });

  test('the preview of a source and a destination returns the mapping and the issues, and stores nothing', async () => {
    const { body } = await preview({ ...to('people'), mode: 'Upsert' });
    expect(body.destinationColumns).toEqual([
      { name: 'id', type: 'bigint', isNullable: false, isGenerated: false },
      { name: 'email', type: 'text', isNullable: true, isGenerated: false },
      { name: 'upper', type: 'text', isNullable: true, isGenerated: true },
    ]);
    expect(body.validation).toMatchObject({
      isOk: false,
      keyColumns: ['id'],
      destinationExists: true,
      mapping: [
        { from: 'id', to: 'id' },
        { from: 'email', to: 'email', isPersonal: true },
      ],
    });
    expect(body.validation.issues.map(({ code }: { code: string }) => code).sort()).toEqual([
      'personal-data',
      'source-column-unused',
    ]);
    expect((await fixture.operator.get(`${migrations}/jobs`)).body.totalCount).toBe(0);
  });

  test('the preview of a new table shows the types that the table gets', async () => {
    const definition = { ...to('made'), createsTable: true, personalData: 'Mask' } as const;
    const { body } = await preview(definition);
    expect(body.validation).toMatchObject({ isOk: true, destinationExists: false });
    const shown = body.validation.mapping.map(({ to, toType }: Record<string, string>) => [to, toType]);
    const id = await fixture.addJob({
      ...definition,
      mode: 'Insert',
      source: { kind: 'Table', schema: 'public', table: 'people' },
    });
    expect(await fixture.ended(await fixture.run(id))).toMatchObject({ status: 'Completed' });
    const made = await fixture.rows(
      `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
        where attrelid = 'made'::regclass and attnum > 0 order by attnum`,
    );
    const previewedColumns = await fixture.rows(
      shown
        .map(([name, type]: string[]) => `select '${name}' as name, '${type}'::regtype::text as type`)
        .join(' union all '),
    );
    expect(made).toEqual(previewedColumns);
    await fixture.destination.sql('drop table made');
    await fixture.operator.delete(`${migrations}/jobs/${id}`);
  });

  test('the first rows are masked regardless of the settings of the job, and the preview is in the audit log', async () => {
    const answer = await fixture.root.post(`${migrations}/preview`, {
      dataSourceId: fixture.sourceId,
      personalData: 'Copy',
      withRows: true,
      source: { kind: 'Query', sql: 'select id, email from people order by id' },
    });
    expect(answer.body.rows.rows).toHaveLength(50);
    expect(answer.body.rows.isComplete).toBe(false);
    expect(answer.body.rows.columns).toMatchObject([
      { isMasked: false, maskedReason: null },
      { isMasked: true, maskedReason: expect.stringMatching(/\w+ \w+/) },
    ]);
    expect(answer.text).not.toContain('@example.com');
    const audit = await fixture.root.get('/svc/api/mcp/audit?event=migrations.source_previewed');
    expect(audit.body.items).toMatchObject([{ subjectId: fixture.sourceId }]);
  });

  test('an operator without access to the projects of a data source can list its tables', async () => {
    const { status, body } = await fixture.operator.get(
      `${migrations}/data-sources/${fixture.sourceId}/tables`,
    );
    expect(status).toBe(200);
    expect(body.tables).toContainEqual({ schema: 'public', name: 'people', type: 'Table' });
    expect([body.schemas.includes('public'), body.fileNames]).toEqual([true, null]);
  });
});

describe('status 400, 403, 404 and 424', () => {
  test('refuses a preview for the same reasons as a job', async () => {
    const answers = await Promise.all([
      preview({ columns: [] }),
      preview({ personalData: 'Copy' }),
      preview({ dataSourceId: 999_999 }),
      preview({ ...to('people'), destinationDataSourceId: 999_999 }),
      preview({ source: { kind: 'Table', schema: 'public', table: 'missing' } }),
      preview({ source: { kind: 'Query', sql: 'delete from people' } }),
      fixture.operator.get(`${migrations}/data-sources/999999/tables`),
    ]);
    expect(answers.map((answer: Answer) => answer.status)).toEqual([400, 403, 404, 404, 424, 424, 404]);
    expect(await fixture.source.pool.query('select from people')).toMatchObject({ rowCount: 80 });
  });

  test('refuses a read-only destination with 400', async () => {
    const { rows } = await fixture.svc.database.query(
      `insert into svc.data_sources (name, engine, connection_shown, connection_sealed, metadata_options)
        values ('Read only', 'SQLite', '{}', 'x', '{}') returning id`,
    );
    const answer = await preview({ ...to('people'), destinationDataSourceId: rows[0]?.id });
    expect([answer.status, answer.body.code]).toEqual([400, 'destination-not-writable']);
  });
});
