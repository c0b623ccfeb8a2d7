import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { addStock, watchContract } from '@svc/testkit/runs/watched-contract.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: RunFixture;
beforeAll(async () => {
  fixture = await startRunFixture();
  await addStock(fixture);
});
afterAll(() => fixture.close());

type Notice = { readonly subjectId: number; readonly kind: string; readonly text: string };

/** Creates a contract. Returns its notices, oldest first. */
async function watch(more: Readonly<Record<string, unknown>> = {}) {
  const watched = await watchContract(fixture, { recipientIds: [], ...more });
  const notices = async (): Promise<Notice[]> =>
    (await fixture.root.get('/svc/api/notices?pageSize=200')).body.items
      .filter(({ subjectId, kind }: Notice) => subjectId === watched.id && kind.startsWith('Contract'))
      .toReversed();
  return { ...watched, notices, kinds: async () => (await notices()).map(({ kind }) => kind) };
}

describe('a contract without recipients', () => {
  test('sends its owner one notice for each time that it begins to fail', async () => {
    const watched = await watch();
    for (const broken of [0, 2, 3]) await watched.tick(broken);
    expect(await watched.notices()).toMatchObject([
      {
        kind: 'ContractFailed',
        text: `The data contract "${watched.body['name']}" failed: 1 rule did not pass (In stock). The contract has no recipients. Add some to send its alerts to others.`,
      },
    ]);
    for (const broken of [0, 2]) await watched.tick(broken);
    expect(await watched.kinds()).toEqual(['ContractFailed', 'ContractFailed']);
    expect((await watched.runs()).map(({ status, reason }) => [status, reason])).toEqual(
      Array.from({ length: 3 }, () => ['Skipped', 'OwnerNotified']),
    );
  });

  test('sends its owner a notice for the start, the reminder and the end of an alert', async () => {
    const watched = await watch({ alertMode: 'OnChange', alert: { remindMinutes: 15 } });
    for (const broken of [2, 2]) await watched.tick(broken);
    expect(await watched.kinds()).toEqual(['ContractFailed']);
    await fixture.svc.database.query(
      `update svc.alert_states set told_at = told_at - interval '15 minutes' where contract_id = $1`,
      [watched.id],
    );
    for (const broken of [2, 0, 0]) await watched.tick(broken);
    expect(await watched.kinds()).toEqual(['ContractFailed', 'ContractFailed', 'ContractRecovered']);
  });

  test('sends no notice while it is snoozed', async () => {
    const watched = await watch();
    await watched.snooze(new Date(Date.now() + 86_400_000).toISOString());
    await watched.tick(2);
    expect(await watched.kinds()).toEqual([]);
    await watched.snooze(null);
    await watched.tick(2);
    expect(await watched.kinds()).toEqual(['ContractFailed']);
  });

  test('sends the notice to the administrators of its project if it has no owner', async () => {
    const watched = await watch();
    await fixture.svc.database.query('update svc.data_contracts set owner_user_id = null where id = $1', [
      watched.id,
    ]);
    await watched.tick(2);
    const [notice] = await watched.notices();
    expect(notice?.text).toContain('has no owner who can read it');
  });
});

test('an alert that reaches no recipient causes a notice to the owner', async () => {
  const watched = await watchContract(fixture);
  fixture.sink.answers.set(watched.to, 500);
  await watched.tick(2);
  const { items } = (await fixture.root.get('/svc/api/notices?pageSize=200')).body;
  const about = items.filter(
    ({ subjectId, kind }: Notice) => subjectId === watched.id && kind === 'ContractFailed',
  );
  expect(about).toMatchObject([{ text: expect.stringContaining('did not reach every recipient') }]);
});
