import type { NotificationType } from '@svc/channels';
import type { ListQuery, Page, Recipient, RecipientUse } from '@svc/contract';
import type { DestinationRules } from '../../gateways/send/index.ts';
import type { Caller } from '../../platform/access/index.ts';
import type { KeyRing, Randomness } from '../../platform/crypto/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { Audit } from '../audit/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import type { RecipientApprovals } from './approvals/approvals.ts';
import { createArchive } from './archive.ts';
import { createCreate } from './create.ts';
import { presentRecipient } from './present.ts';
import {
  findRecipient,
  listRecipients,
  listUses,
  type RecipientRow,
  sortable,
  usesSortable,
  usesUnique,
} from './store/index.ts';
import { createUpdate } from './update.ts';
import { createWarnAtStart } from './warn-at-start.ts';

export type RecipientsDeps = {
  readonly database: Database;
  readonly log: Logger;
  readonly keys: KeyRing;
  readonly random: Randomness;
  readonly audit: Audit;
  readonly rights: ProjectRights;
  readonly rules: DestinationRules;
  readonly approvals: RecipientApprovals;
  readonly allowedHeaders: readonly string[];
  readonly requireEncryptedSecrets: boolean;
};

export type RecipientsService = ReturnType<typeof createRecipientsService>;

/**
 * Creates the service for recipients of results. Destinations and header values are secrets: encrypted at rest, and
 * masked in responses.
 */
export function createRecipientsService(deps: RecipientsDeps) {
  const { database, keys, rights } = deps;
  const { stateOf } = deps.approvals;
  const present = (row: RecipientRow, caller: Caller): Recipient =>
    presentRecipient({ keys, stateOf }, row, caller);

  return {
    list: async (
      caller: Caller,
      query: ListQuery & { search?: string | undefined; notificationType?: NotificationType | undefined },
    ): Promise<Page<Recipient>> => {
      const page = pageRequest(query, { sortable, byDefault: 'name', unique: 'r.id' });
      const { search, notificationType } = query;
      const { rows, totalCount } = await listRecipients(database, { search, notificationType }, page);
      return pageOf(
        rows.map((row) => present(row, caller)),
        totalCount,
        page,
      );
    },

    get: async (caller: Caller, id: number): Promise<Recipient> => {
      const row = await findRecipient(database, id);
      if (!row) throw notFound();
      return present(row, caller);
    },

    /** Returns the subscriptions and data contracts that send to a recipient, if the caller can read them. */
    uses: async (caller: Caller, id: number, query: ListQuery): Promise<Page<RecipientUse>> => {
      if (!(await findRecipient(database, id))) throw notFound();
      const page = pageRequest(query, { sortable: usesSortable, byDefault: 'queryName', unique: usesUnique });
      const projectIds = await rights.readableIds(database, caller);
      const { rows, totalCount } = await listUses(database, id, projectIds, page);
      return pageOf(rows, totalCount, page);
    },

    create: createCreate(deps),
    update: createUpdate(deps),
    archive: createArchive(deps),
    warnAtStart: createWarnAtStart(deps),
  };
}
