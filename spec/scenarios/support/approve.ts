import type { Delivering } from './delivering.ts';
import type { Answer, HttpClient } from './http-client.ts';
import { addUser, type RoleName, signIn } from './people.ts';
import type { Settings } from './service.ts';

/** Settings under which changes of recipients wait for approval. */
export const approvalsOn: Settings = { 'Svc:ApprovalWorkflow:Enabled': true };

/** Path of the requests. */
export const changesPath = '/svc/api/approvals/changes';

/** One side of a change, as a reviewer sees it. */
export type View = {
  readonly notificationType: string;
  readonly parts: readonly { label: string; value: string }[];
  readonly headers: readonly { name: string; fingerprint: string }[];
  readonly fingerprint: string;
  readonly isReadable: boolean;
};

/** A request, as its page shows it. */
export type ChangeDetail = {
  readonly id: number;
  readonly status: string;
  readonly targetId: number;
  readonly requestedByUserName: string | null;
  readonly before: View | null;
  readonly after: View;
  readonly looksEqual: boolean;
  readonly changeHash: string;
};

/** The request about a recipient that waits; undefined when none does. */
export async function waitingChange(
  client: HttpClient,
  recipientId: number,
): Promise<ChangeDetail | undefined> {
  const list = (await client.get(`${changesPath}?status=Pending&pageSize=200`)).read<{
    items: ChangeDetail[];
  }>();
  const found = list.items.find(({ targetId }) => targetId === recipientId);
  return found && (await client.get(`${changesPath}/${found.id}`)).read<ChangeDetail>();
}

/** Approves what waits of a recipient, as a reviewer does who has looked at it. */
export async function approve(client: HttpClient, recipientId: number, comment?: string): Promise<Answer> {
  const change = await waitingChange(client, recipientId);
  if (!change) throw new Error(`Nothing waits of recipient ${recipientId}.`);
  return client.post(`${changesPath}/${change.id}/approve`, { changeHash: change.changeHash, comment });
}

let count = 0;

/** Somebody of their own with these roles, signed in. */
export const person = async (world: Pick<Delivering, 'svc'>, ...roles: RoleName[]): Promise<HttpClient> =>
  signIn(world.svc, await addUser(world.svc, `${roles.join('-').toLowerCase()}-${count++}`, roles));
