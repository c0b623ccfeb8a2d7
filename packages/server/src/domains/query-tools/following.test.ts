import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let fixture: RunFixture;
let editor: HttpClient;
let approver: HttpClient;

beforeAll(async () => {
  fixture = await startRunFixture({
    config: {
      'Svc:ApprovalWorkflow:Enabled': true,
      'Svc:ApprovalWorkflow:CoversRecipientDestinations': false,
    },
  });
  editor = await fixture.person('editor', 'Editor');
  approver = await fixture.person('approver', 'Approver');
});
afterAll(() => fixture.close());

const approve = async (approvalId: number) => {
  const { approvalHash } = (await approver.get(`/svc/api/approvals/${approvalId}`)).body;
  const answer = await approver.post(`/svc/api/approvals/${approvalId}/approve`, { approvalHash });
  expect(answer.status, answer.text).toBe(204);
};

test('if queries need approval, a tool runs the version that was approved last, and no pending version', async () => {
  const body = (sql: string) => ({ name: 'Said', steps: [{ dataSourceId: fixture.sourceId, sql }] });
  const created = await editor.post('/svc/api/queries', {
    projectId: fixture.projectId,
    ...body("select 'first' as said"),
  });
  const { id, pendingVersion } = created.body;
  const path = `/svc/api/queries/${id}/mcp-tool`;
  const publication = { isEnabled: true, name: 'said' };
  expect((await fixture.root.put(path, publication)).body).toMatchObject({
    status: 409,
    code: 'query-not-approved',
  });
  const waiting = { ...publication, versionId: pendingVersion.id };
  expect((await fixture.root.put(path, waiting)).body.code).toBe('query-not-approved');

  await approve(pendingVersion.approvalId);
  expect((await fixture.root.put(path, publication)).body).toMatchObject({
    versionNumber: 1,
    isFollowing: true,
  });
  const run = async () => {
    const { body: answer } = await editor.post('/svc/api/mcp/tools/run', {
      toolName: 'q_said',
      projectId: fixture.projectId,
      arguments: {},
    });
    return [answer.structuredContent.versionNumber, answer.structuredContent.rows];
  };
  expect(await run()).toEqual([1, [['first']]]);
  const changed = await editor.put(`/svc/api/queries/${id}`, body("select 'second' as said"));
  expect(changed.status).toBe(202);
  const proposed = changed.body.pendingVersion;
  expect((await fixture.root.put(path, { ...publication, versionId: proposed.id })).body.code).toBe(
    'version-not-publishable',
  );
  expect(await run()).toEqual([1, [['first']]]);
  await approve(proposed.approvalId);
  expect(await run()).toEqual([2, [['second']]]);
  expect((await editor.get(path)).body).toMatchObject({ versionNumber: 2, isNewest: true });
});
