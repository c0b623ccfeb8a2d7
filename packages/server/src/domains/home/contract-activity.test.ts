import type { Activity } from '@svc/contract';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { addStock, watchContract } from '@svc/testkit/runs/watched-contract.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let fixture: RunFixture;
beforeAll(async () => {
  fixture = await startRunFixture();
  await addStock(fixture);
});
afterAll(() => fixture.close());

const activity = async (client: HttpClient): Promise<Activity[]> =>
  (await client.get('/svc/api/home/activity?pageSize=200&sort=time')).body.items;

test('the activity shows when a data contract began to fail and when it passed again, with its task', async () => {
  const watched = await watchContract(fixture, { createTasks: true });
  for (const broken of [0, 2, 3, 1, 0, 2]) await watched.tick(broken);
  const stranger = await fixture.person('stranger', 'Editor');
  const seen = async (client: HttpClient) =>
    (await activity(client)).map(({ kind, contractId, queryName, subscriptionId }) => {
      expect([contractId, queryName, subscriptionId]).toEqual([watched.id, watched.body['name'], null]);
      return kind;
    });
  const kinds = await seen(fixture.root);
  expect(kinds.filter((kind) => kind.startsWith('Contract'))).toEqual([
    'ContractFailed',
    'ContractRecovered',
    'ContractFailed',
  ]);
  expect(kinds.filter((kind) => kind.startsWith('Task'))).toEqual([
    'TaskOpened',
    'TaskResolved',
    'TaskOpened',
  ]);
  await fixture.svc.database.query(
    `insert into svc.missed_runs (contract_id, first_due_at, last_due_at, missed_count) values ($1, now(), now(), 2)`,
    [watched.id],
  );
  expect((await activity(fixture.root)).at(-1)).toMatchObject({ kind: 'RunMissed', count: 2 });
  await fixture.root.put(`/svc/api/projects/${fixture.projectId}/access-mode`, { accessMode: 'Restricted' });
  expect(await activity(stranger)).toEqual([]);
});
