import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const path = '/svc/api/approvals/changes';
const recipients = '/svc/api/recipients';
let fixture: RunFixture;
let root: HttpClient;
let approver: HttpClient;
let second: HttpClient;
let keeper: HttpClient;

beforeAll(async () => {
  fixture = await startRunFixture({
    config: { 'Svc:ApprovalWorkflow:Enabled': true, 'Svc:ApprovalWorkflow:CoversQueries': false },
  });
  root = fixture.root;
  approver = await fixture.person('approver', 'Approver');
  second = await fixture.person('second', 'Approver');
  keeper = await fixture.person('keeper', ['SecurityAdmin', 'Viewer']);
});
afterAll(() => fixture.close());

let count = 0;
const to = (place: string) => `${fixture.sink.url}/secret-${place}`;

/** Creates a recipient, which awaits approval. */
async function add(client = root, change: Readonly<Record<string, unknown>> = {}): Promise<number> {
  count += 1;
  const body = { notificationType: 'Webhook', name: `Hook ${count}`, destination: to(`${count}`), ...change };
  const answer = await client.post(recipients, body);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.id;
}

const waiting = async (recipientId: number) => {
  const { items } = (await approver.get(`${path}?status=Pending&pageSize=200`)).body;
  const change = items.find(({ targetId }: { targetId: number }) => targetId === recipientId);
  return change && (await approver.get(`${path}/${change.id}`)).body;
};
const approve = async (recipientId: number, client = approver) => {
  const { id, changeHash } = await waiting(recipientId);
  return client.post(`${path}/${id}/approve`, { changeHash, comment: 'Asked.' });
};
const save = async (id: number, change: Readonly<Record<string, unknown>>, client = root) => {
  const { name, notificationType, destination } = (await client.get(`${recipients}/${id}`)).body;
  return client.put(`${recipients}/${id}`, { name, notificationType, destination, ...change });
};
const stateOf = async (id: number) => (await root.get(`${recipients}/${id}`)).body.state;

describe('simultaneous actions', () => {
  test('an approval and a rejection by two reviewers result in one decision', async () => {
    const id = await add();
    const change = await waiting(id);
    const answers = await Promise.all([
      approver.post(`${path}/${change.id}/approve`, { changeHash: change.changeHash }),
      second.post(`${path}/${change.id}/reject`, { comment: 'No.' }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409]);
    expect(await stateOf(id)).toBe(answers[0].status === 204 ? 'Approved' : 'Rejected');
  });

  test('an approval during a save never approves the destination that the reviewer has not seen', async () => {
    for (let round = 0; round < 8; round += 1) {
      const id = await add();
      const change = await waiting(id);
      const [approved, saved] = await Promise.all([
        approver.post(`${path}/${change.id}/approve`, { changeHash: change.changeHash }),
        save(id, { destination: to(`raced-${id}`) }),
      ]);
      expect(saved.status).toBe(200);
      expect([204, 409]).toContain(approved.status);
      // In either order the redirected recipient awaits approval, with the later destination.
      expect(await stateOf(id)).toBe('AwaitingApproval');
      const left = await waiting(id);
      expect(left.isNew).toBe(approved.status === 409);
      expect(left.after.fingerprint).not.toBe(change.after.fingerprint);
    }
  });

  test('two users who redirect the same recipient leave one pending change', async () => {
    const id = await add();
    await approve(id);
    const answers = await Promise.all([
      save(id, { destination: to('by-root') }),
      save(id, { destination: to('by-keeper') }, keeper),
    ]);
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses[0]).toBe(200);
    expect([409, 412]).toContain(statuses[1]);
    const { rows } = await fixture.svc.database.query(
      "select count(*) as count from svc.approval_requests where recipient_id = $1 and status = 'Pending'",
      [id],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });
});
