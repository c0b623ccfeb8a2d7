import type { RoleName } from '@svc/contract';
import type { Answer, HttpClient } from '../client/http-client.ts';
import { addUser, signIn } from '../people/people.ts';
import type { RunningService } from '../service/service.ts';
import type { Settings } from '../service/settings.ts';

/** Settings under which changes of recipients wait for approval, and those of queries do not. */
export const approvalsOn: Settings = {
  'Svc:ApprovalWorkflow:Enabled': true,
  'Svc:ApprovalWorkflow:CoversQueries': false,
};

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

/** Approves what waits of a recipient. @throws Error unless it was approved. */
export async function approveRecipient(reviewer: HttpClient, recipientId: number): Promise<void> {
  const answer = await approve(reviewer, recipientId, 'Checked with the owner of the destination.');
  if (answer.status !== 204) throw new Error(`Nothing was approved: ${answer.status} ${answer.text}`);
}

let count = 0;

/** Somebody of their own with these roles, signed in. */
export const person = async (
  { svc }: { readonly svc: RunningService },
  ...roles: RoleName[]
): Promise<HttpClient> =>
  signIn(svc, await addUser(svc, `${roles.join('-').toLowerCase()}-${count++}`, roles));
