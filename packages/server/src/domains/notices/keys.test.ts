import { createJobs } from '@svc/jobs';
import { createKey } from '@svc/testkit/people/users.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../../platform/db/index.ts';
import { projectRights } from '../projects/index.ts';
import { createNoticesService } from './service.ts';

let fixture: RunFixture;
beforeAll(async () => {
  fixture = await startRunFixture();
});
afterAll(() => fixture.close());

test('the owner of a key that expires soon gets a notice, even with the role Viewer, and no mail', async () => {
  const owner = await fixture.person('key-owner', 'Viewer');
  const { userId } = (await owner.get('/svc/api/auth/me')).body;
  const { id } = await createKey(fixture.svc.database, userId);
  const database = createDatabase(fixture.svc.database);
  const { tellResponsible } = createNoticesService({
    database,
    log: pino({ level: 'silent' }),
    rights: projectRights,
    jobs: createJobs({ pool: fixture.svc.database }),
    send: { toPerson: async () => undefined },
    hasMail: true,
    noticesCreated: async () => undefined,
    baseUrl: async () => undefined,
  });
  await database.transaction((tx) =>
    tellResponsible(tx, {
      kind: 'KeyExpires',
      subject: { kind: 'ApiKey', id },
      runId: null,
      facts: { endsWithinDays: 3 },
      isRepetition: false,
    }),
  );
  expect((await owner.get('/svc/api/notices')).body.items).toMatchObject([
    {
      kind: 'KeyExpires',
      subjectKind: 'ApiKey',
      subjectId: id,
      text: 'Your API key "A key" expires in less than 3 days. Replace it on the page API keys.',
    },
  ]);
  const { rows } = await fixture.svc.database.query(`select from svc_jobs.job where name = 'mail-notice'`);
  expect(rows).toEqual([]);
  const other = await fixture.person('no-owner', 'Viewer');
  expect((await other.get('/svc/api/notices')).body.items).toEqual([]);
});
