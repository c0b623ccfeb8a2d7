import type { Caller } from '../../platform/access/index.ts';
import type { Tx } from '../../platform/db/index.ts';
import { conflict, notFound, pageRequest } from '../../platform/http/index.ts';
import type { CallerActor } from '../audit/index.ts';
import { assertUnmanaged } from '../managed-records/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import type { RecipientsDeps } from './service.ts';
import {
  archiveRecipient,
  listUses,
  lockRecipient,
  useCountOf,
  usesSortable,
  usesUnique,
} from './store/index.ts';

/** Creates the function that archives an unused recipient. */
export const createArchive =
  ({ database, audit, rights, approvals }: RecipientsDeps) =>
  (actor: CallerActor, id: number): Promise<void> =>
    database.transaction(async (tx) => {
      const row = await lockRecipient(tx, id);
      if (!row) throw notFound();
      await assertUnmanaged(tx, actor, 'Recipient', id);
      await requireUnused(tx, rights, actor.caller, id);
      await approvals.beforeArchive(tx, actor, row);
      await archiveRecipient(tx, id);
      await audit.record(tx, {
        by: actor,
        event: 'recipients.recipient_archived',
        subject: { kind: 'recipient', id },
      });
    });

/** Maximum number of uses that the refusal names. */
const namedUsesMax = 10;

/**
 * Throws 409 while subscriptions or data contracts use a recipient. The message names the uses that the caller can
 * read, and counts the others.
 */
async function requireUnused(tx: Tx, rights: ProjectRights, caller: Caller, id: number): Promise<void> {
  const useCount = await useCountOf(tx, id);
  if (useCount === 0) return;
  const projectIds = await rights.readableIds(tx, caller);
  const page = pageRequest(
    { pageSize: String(namedUsesMax) },
    { sortable: usesSortable, byDefault: 'queryName', unique: usesUnique },
  );
  const { rows, totalCount } = await listUses(tx, id, projectIds, page);
  const names = [...new Set(rows.map(({ queryName, contractName }) => queryName ?? contractName ?? ''))];
  const hiddenCount = useCount - totalCount;
  const texts = [
    ...names,
    ...(totalCount > rows.length ? [`${totalCount - rows.length} more`] : []),
    ...(hiddenCount > 0 ? [`${hiddenCount} that you cannot read`] : []),
  ];
  throw conflict(
    'recipient-in-use',
    `Subscriptions or data contracts still use this recipient: ${texts.join(', ')}. Detach it there first.`,
  );
}
