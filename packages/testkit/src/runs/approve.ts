import type { RoleName } from '@svc/contract';
import type { Answer, HttpClient } from '../client/http-client.ts';
import { addUser, signIn } from '../people/people.ts';
import type { RunningService } from '../service/service.ts';
import type { Settings } from '../service/settings.ts';

/** Settings that require approval for changes of recipients, but not of queries. */
export const approvalsOn: Settings = {
  'Svc:ApprovalWorkflow:Enabled': true,
  'Svc:ApprovalWorkflow:CoversQueries': false,
};

/** Path of the change requests. */
export const changesPath = '/svc/api/approvals/changes';

/** One side of a change, as the route shows it to a reviewer. */
export type View = {
  readonly notificationType: string;
  readonly parts: readonly { label: string; value: string }[];
  readonly headers: readonly { name: string; fingerprint: string }[];
  readonly fingerprint: string;
  readonly isReadable: boolean;
};

/** Change request, as its detail route returns it. */
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

/** Returns the pending change request of a recipient; undefined if none exists. */
export async function waitingChange(
  client: HttpClient,
  recipientId: number,
): Promise<ChangeDetail | undefined> {
  const list = (await client.get(`${changesPath}?status=Pending&pageSize=200`)).read<{
    items: ChangeDetail[];
  }>();
  const change = list.items.find(({ targetId }) => targetId === recipientId);
  return change && (await client.get(`${changesPath}/${change.id}`)).read<ChangeDetail>();
}

/** Approves the pending change of a recipient, with the hash that a reviewer received. */
export async function approve(client: HttpClient, recipientId: number, comment?: string): Promise<Answer> {
  const change = await waitingChange(client, recipientId);
  if (!change) throw new Error(`Nothing waits of recipient ${recipientId}.`);
  return client.post(`${changesPath}/${change.id}/approve`, { changeHash: change.changeHash, comment });
}

/** Approves the pending change of a recipient. @throws Error unless the status is 204. */
export async function approveRecipient(reviewer: HttpClient, recipientId: number): Promise<void> {
  const answer = await approve(reviewer, recipientId, 'Checked with the owner of the destination.');
  if (answer.status !== 204) throw new Error(`Nothing was approved: ${answer.status} ${answer.text}`);
}

let count = 0;

/** Creates a user with these roles and signs the user in. */
export const person = async (
  { svc }: { readonly svc: RunningService },
  ...roles: RoleName[]
): Promise<HttpClient> =>
  signIn(svc, await addUser(svc, `${roles.join('-').toLowerCase()}-${count++}`, roles));
