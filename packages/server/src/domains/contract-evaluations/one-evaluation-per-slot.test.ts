import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { endOfJob, fireTick, linesOf, loseSessionOnce, requeueToItsEnd } from '@svc/testkit/runs/ticks.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { addStock, fillStock, watchContract } from '@svc/testkit/runs/watched-contract.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let fixture: RunFixture;
beforeAll(async () => {
  fixture = await startRunFixture();
  await addStock(fixture);
  await fillStock(fixture, 3);
});
afterAll(() => fixture.close());

const sql = async (statement: string, values: unknown[] = []) =>
  (await fixture.svc.database.query(statement, values)).rows;
const tick = (contractId: number) => fireTick(fixture.svc.database, `contract:${contractId}`);
const evaluationsOf = (contractId: number) =>
  sql(
    `select id::int, status, created_time as "slotAt" from svc.contract_evaluations where contract_id = $1`,
    [contractId],
  );
/** Waits until the evaluations and the messages of a contract have ended. */
const settled = (contractId: number) =>
  until('the end of the evaluation and its message', async () => {
    const [open] = await sql(
      `select (select count(*) from svc.contract_evaluations where contract_id = $1 and finished_at is null)
         + (select count(*) from svc.runs where contract_id = $1 and status = 'Created') as count,
         (select count(*) from svc.contract_evaluations where contract_id = $1) as made`,
      [contractId],
    );
    return Number(open.count) === 0 && Number(open.made) > 0 ? true : undefined;
  });

test('a tick that loses its database session and is retried makes one evaluation of its slot and one message', async () => {
  const { id, bodies } = await watchContract(fixture);
  await loseSessionOnce(fixture.svc.database, {
    table: 'svc.contract_evaluations',
    event: 'insert',
    when: 'true',
  });
  const { slotAt, jobId } = await tick(id);
  expect(await endOfJob(fixture.svc.database, jobId)).toEqual({ state: 'Completed', attempt: 2 });
  await settled(id);
  expect(await evaluationsOf(id)).toEqual([{ id: expect.any(Number), status: 'Failed', slotAt }]);
  expect(bodies()).toHaveLength(1);
});

test('a tick that is requeued manually makes no second evaluation and no second message, and its log states that', async () => {
  const { id, bodies } = await watchContract(fixture);
  const { slotAt, jobId } = await tick(id);
  await endOfJob(fixture.svc.database, jobId);
  await settled(id);
  const [evaluation] = await evaluationsOf(id);
  const lines = await requeueToItsEnd(fixture.svc.database, jobId);
  expect(lines).toEqual([
    `The evaluation of ${slotAt.toISOString()} (${evaluation.id}) has ended as Failed. No second evaluation is started.`,
  ]);
  expect(await evaluationsOf(id)).toEqual([evaluation]);
  expect(bodies()).toHaveLength(1);
});

test('a tick that is requeued manually continues the evaluation of its slot if that evaluation has not ended', async () => {
  const { id } = await watchContract(fixture);
  const { slotAt, jobId } = await tick(id);
  await endOfJob(fixture.svc.database, jobId);
  await settled(id);
  // The state after a failed job.
  await sql(
    `update svc.contract_evaluations set status = 'Running', finished_at = null where contract_id = $1`,
    [id],
  );
  expect(await requeueToItsEnd(fixture.svc.database, jobId)).toEqual([]);
  await settled(id);
  expect(await evaluationsOf(id)).toEqual([{ id: expect.any(Number), status: 'Failed', slotAt }]);
});

test('a tick while another evaluation is open starts no evaluation, and its log states that', async () => {
  const { id } = await watchContract(fixture);
  await sql("insert into svc.contract_evaluations (contract_id, trigger) values ($1, 'Manual')", [id]);
  const { jobId } = await tick(id);
  await endOfJob(fixture.svc.database, jobId);
  expect(await linesOf(fixture.svc.database, jobId)).toEqual([
    'Another evaluation of the contract is open. No evaluation is started.',
  ]);
  expect(await evaluationsOf(id)).toHaveLength(1);
});
