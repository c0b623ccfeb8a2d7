import { setUp } from '@svc/testkit/people/people.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('a write to a full disk is refused with the reason, makes the service unready, and succeeds once space is available', async () => {
  const root = await setUp(service);
  // Error of PostgreSQL when a file of the table cannot grow.
  await service.sql(`create function public.no_room() returns trigger language plpgsql as $$
    begin raise 'could not extend file "base/1/2": No space left on device' using errcode = '53100'; end $$`);
  await service.sql('create trigger no_room before insert on svc.projects execute function public.no_room()');
  expect(await service.svc.isReady()).toBe(true);
  const refused = await root.post('/svc/api/projects', { name: 'Without room' });
  expect(refused.status).toBe(503);
  expect(refused.body).toMatchObject({
    code: 'database-full',
    detail: 'The disk of the metadata database is full. Nothing was written; make room on it, and try again.',
  });
  expect(refused.headers.get('retry-after')).toBe('30');
  expect(await service.svc.isReady()).toBe(false);
  expect((await root.get('/svc/api/projects')).status).toBe(200);
  expect((await root.get('/svc/api/health')).status).toBe(200);
  expect(service.log.filter(({ msg }) => msg.startsWith('the disk of the metadata database'))).toHaveLength(
    1,
  );

  await service.sql('drop trigger no_room on svc.projects');
  expect((await root.post('/svc/api/projects', { name: 'Without room' })).status).toBe(201);
});
