import type { User } from '@svc/contract';
import type { Tx } from '../../../platform/db/index.ts';
import { notFound } from '../../../platform/http/index.ts';
import type { Audit, AuditEvent } from '../../audit/index.ts';
import { presentUser } from '../present.ts';
import { findUser, lockUser, type StoredUser } from '../store.ts';
import type { Administrator } from './dependencies.ts';

/** Locks and returns a user who is not archived. */
export async function lockExisting(tx: Tx, id: number): Promise<StoredUser> {
  const user = await lockUser(tx, id);
  if (!user || user.archivedAt !== null) throw notFound();
  return user;
}

/** Returns the user after a change. */
export async function readUser(tx: Tx, id: number): Promise<User> {
  const user = await findUser(tx, id);
  if (!user) throw notFound();
  return presentUser(user);
}

/** Records a change of a user in the audit. */
export const recordChange = (
  audit: Audit,
  tx: Tx,
  event: AuditEvent['event'],
  userId: number,
  by: Administrator,
  detail: Record<string, unknown>,
): Promise<void> => audit.record(tx, { event, by, subject: { kind: 'user', id: userId }, detail });
