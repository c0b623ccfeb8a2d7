import { afterAll, beforeAll, expect, it } from 'vitest';
import { defineJob } from '../client/declare.ts';
import { createFixture, eventually, type Fixture } from '../testing/fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

it('a process that serves many queues starts with few sessions', async () => {
  const jobs = fixture.jobs({
    connection: { ...fixture.database.connection, application_name: 'many-queues' },
  });
  const declared = Array.from({ length: 12 }, (_, index) =>
    defineJob<unknown>({ name: `job-${index}`, queue: `queue-${index}`, parse: (value) => value }),
  );
  for (const job of declared) jobs.handle(job, () => undefined);
  await jobs.start();
  await eventually(async () => (await jobs.read.servers())[0]?.workers.length === declared.length);
  const { rows } = await fixture.pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where application_name = 'many-queues'`,
  );
  // One session for claims, one for the first round of maintenance, one for due jobs and one for the listener.
  expect(rows[0]?.count).toBeLessThanOrEqual(6);
});
