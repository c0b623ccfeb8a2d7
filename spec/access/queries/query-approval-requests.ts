import { signIn, superAdmin } from '@svc/testkit/people/people.ts';
import { password } from '@svc/testkit/people/users.ts';
import type { RunningService } from '@svc/testkit/service/service.ts';
import type { Fixture } from '../fixture.ts';
import type { Recipe } from '../recipe.ts';

const approvals = '/svc/api/approvals';
const desks = new WeakMap<Fixture, Promise<RunningService>>();

/** Returns a second process on the fixture's database in which changes of queries wait for approval. */
function deskOf(fixture: Fixture): Promise<RunningService> {
  const desk =
    desks.get(fixture) ??
    fixture.svc.replica({
      'Svc:ApprovalWorkflow:Enabled': true,
      'Svc:ApprovalWorkflow:CoversRecipientDestinations': false,
    });
  desks.set(fixture, desk);
  return desk;
}

let count = 0;

/** Creates a pending request of the fixture's editor about a query. Returns its path. */
async function freshApproval(fixture: Fixture): Promise<string> {
  const desk = await deskOf(fixture);
  const editor = await signIn(desk, { userName: 'editor', password });
  const saved = await editor.post('/svc/api/queries', {
    projectId: fixture.project,
    name: `Waits ${count++}`,
    steps: [{ dataSourceId: fixture.dataSource, sql: 'select 1 as one' }],
  });
  const id = saved.body.pendingVersion?.approvalId;
  if (id === undefined) throw new Error(`Nothing waits: ${saved.status} ${saved.text}`);
  return `${approvals}/${id}`;
}

/** Requests about approvals of queries. */
export const queryApprovalRecipes: Readonly<Record<string, Recipe>> = {
  [`GET ${approvals}/{id}`]: async (fixture) => ({ path: await freshApproval(fixture) }),
  [`POST ${approvals}/{id}/approve`]: async (fixture) => {
    const path = await freshApproval(fixture);
    const root = await signIn(await deskOf(fixture), superAdmin);
    const { approvalHash } = (await root.get(path)).body;
    return { path: `${path}/approve`, body: { approvalHash } };
  },
  [`POST ${approvals}/{id}/reject`]: async (fixture) => ({
    path: `${await freshApproval(fixture)}/reject`,
    body: { comment: 'No.' },
  }),
  [`POST ${approvals}/{id}/compare`]: async (fixture) => ({
    path: `${await freshApproval(fixture)}/compare`,
    body: {},
  }),
};
