import {
  editCustomHeaders,
  editDestination,
  type NotificationType,
  type StoredRecipient,
} from '@svc/channels';
import type { ListQuery, Page, Recipient, RecipientInput, RecipientUse } from '@svc/contract';
import { type DestinationRules, type RecipientDefinition, sealRecipient } from '../../gateways/send/index.ts';
import { type Caller, holds } from '../../platform/access/index.ts';
import type { KeyRing, Randomness } from '../../platform/crypto/index.ts';
import { type Database, isUniqueViolation, type Tx } from '../../platform/db/index.ts';
import {
  badRequest,
  changedMeanwhile,
  conflict,
  notFound,
  pageOf,
  pageRequest,
} from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { isRequester } from '../approvals/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { assertUnmanaged } from '../managed-records/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { definitionOf, type RecipientApprovals } from './approval.ts';
import { presentRecipient } from './present.ts';
import { requireReadOfAll } from './reach.ts';
import {
  archiveRecipient,
  countUnusual,
  findRecipient,
  insertRecipient,
  listRecipients,
  listUses,
  lockRecipient,
  type RecipientFields,
  type RecipientRow,
  saveSecrets,
  sortable,
  updateRecipient,
  useCountOf,
  usesSortable,
  usesUnique,
} from './store.ts';

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

/** Save after input and stored secrets are combined. */
type Edited = { fields: RecipientFields; definition: RecipientDefinition };

/**
 * Creates the service for recipients of results. Destinations and header values are secrets: encrypted at rest, and
 * masked in responses.
 */
export function createRecipientsService(deps: RecipientsDeps) {
  const { database, keys } = deps;

  /** Decrypts the secrets of a row. Unreadable parts are undefined: a broken row must not break a list. */
  const opened = (row: RecipientRow): StoredRecipient =>
    definitionOf(keys, row) ?? { type: row.notificationType };

  const present = (row: RecipientRow, caller: Caller): Recipient =>
    presentRecipient(row, opened(row), {
      showsMasked: holds(caller, 'SecurityAdmin'),
      state: deps.approvals.stateOf(row.state),
      isOwnChange: isRequester(caller, {
        requestedByUserId: row.waitingUserId,
        requestedByHostUser: row.waitingHostUser,
      }),
    });

  /** Combines input and stored secrets and checks the result. A refusal names the member. */
  const edit = async (input: RecipientInput, stored: StoredRecipient | undefined): Promise<Edited> => {
    const type = input.notificationType;
    const destination = editDestination(type, input.destination ?? '', stored);
    if (!destination.ok) throw refused('destination', destination.message);
    const headers =
      type === 'Webhook'
        ? editCustomHeaders(input.customHeaders, destination.value, stored, deps.allowedHeaders)
        : givenHeaders(input);
    if (!headers.ok) throw refused('customHeaders', headers.message);
    const definition = { type, destination: destination.value, customHeaders: headers.headers };
    const check = await deps.rules.checkDraft({
      ...definition,
      ...(input.bodyTemplate && { bodyTemplate: input.bodyTemplate }),
    });
    if (!check.ok) throw refused(check.field, check.message);
    const fields = {
      name: input.name.trim(),
      description: input.description ?? null,
      notificationType: type,
      bodyTemplate: input.bodyTemplate || null,
      headerNames: Object.keys(headers.headers),
    };
    return { fields, definition };
  };

  const requireReach = requireReadOfAll(deps.rights);

  const save = (tx: Tx, id: number, { definition }: Edited): Promise<void> =>
    saveSecrets(tx, id, sealRecipient(keys, id, definition, deps.random));

  /**
   * Throws 409 while subscriptions or data contracts use a recipient. The message names the uses that the caller can
   * read, and counts the others.
   */
  const refuseInUse = async (tx: Tx, caller: Caller, id: number): Promise<void> => {
    const used = await useCountOf(tx, id);
    if (used === 0) return;
    const readable = await deps.rights.readableIds(tx, caller);
    const page = pageRequest(
      { pageSize: '10' },
      { sortable: usesSortable, byDefault: 'queryName', unique: usesUnique },
    );
    const { rows, totalCount } = await listUses(tx, id, readable, page);
    const named = [...new Set(rows.map(({ queryName, contractName }) => queryName ?? contractName ?? ''))];
    const hidden = used - totalCount;
    const parts = [
      ...named,
      ...(totalCount > rows.length ? [`${totalCount - rows.length} more`] : []),
      ...(hidden > 0 ? [`${hidden} that you cannot read`] : []),
    ];
    throw conflict(
      'recipient-in-use',
      `Subscriptions or data contracts still use this recipient: ${parts.join(', ')}. Detach it there first.`,
    );
  };

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
      const projectIds = await deps.rights.readableIds(database, caller);
      const { rows, totalCount } = await listUses(database, id, projectIds, page);
      return pageOf(rows, totalCount, page);
    },

    /** @param within further statements of the transaction. */
    create: async (
      actor: CallerActor,
      input: RecipientInput,
      within?: (tx: Tx, id: number) => Promise<void>,
    ): Promise<Recipient> => {
      const edited = await edit(input, undefined);
      return nameTaken(() =>
        database.transaction(async (tx) => {
          const id = await insertRecipient(tx, edited.fields, actor.caller.userId);
          await save(tx, id, edited);
          await deps.approvals.afterCreate(tx, actor, id, edited.definition);
          await deps.audit.record(tx, {
            by: actor,
            event: 'recipients.recipient_created',
            subject: { kind: 'recipient', id },
            detail: { notificationType: edited.fields.notificationType },
          });
          await within?.(tx, id);
          return present(await mustFind(tx, id), actor.caller);
        }),
      );
    },

    update: async (
      actor: CallerActor,
      id: number,
      input: RecipientInput,
      ifVersion: number | undefined,
    ): Promise<Recipient> => {
      const before = await findRecipient(database, id);
      if (!before) throw notFound();
      // The check resolves names, so it runs outside the transaction. Inside, the version shows whether the row
      // changed.
      const stored = opened(before);
      const edited = await edit(input, stored);
      return nameTaken(() =>
        database.transaction(async (tx) => {
          const row = await lockRecipient(tx, id);
          if (!row) throw notFound();
          await assertUnmanaged(tx, actor, 'Recipient', id);
          if (row.version !== (ifVersion ?? before.version)) throw changedMeanwhile();
          const redirects = isRedirected(stored, edited);
          if (redirects) await requireReach(tx, actor.caller, id);
          await deps.approvals.beforeSave(tx, actor, {
            row,
            stored: definitionOf(keys, before),
            definition: edited.definition,
            redirects,
          });
          await updateRecipient(tx, id, edited.fields);
          await save(tx, id, edited);
          await deps.audit.record(tx, {
            by: actor,
            event: 'recipients.recipient_changed',
            subject: { kind: 'recipient', id },
            detail: { redirects },
          });
          return present(await mustFind(tx, id), actor.caller);
        }),
      );
    },

    /** Logs at start how many recipients are not approved or not encrypted. */
    noteAtStart: async (): Promise<void> => {
      const { notApproved, notEncrypted } = await countUnusual(database);
      if (notApproved > 0 && !deps.approvals.isCovered)
        deps.log.warn(
          { recipients: notApproved },
          'recipients that await approval or were rejected deliver as they are: the approval workflow does not cover them',
        );
      if (notEncrypted > 0)
        deps.log.warn(
          { recipients: notEncrypted, isDelivering: !deps.requireEncryptedSecrets },
          'recipients are kept unencrypted: save them again, or run `svc secrets rotate`',
        );
    },

    archive: (actor: CallerActor, id: number): Promise<void> =>
      database.transaction(async (tx) => {
        const row = await lockRecipient(tx, id);
        if (!row) throw notFound();
        await assertUnmanaged(tx, actor, 'Recipient', id);
        await refuseInUse(tx, actor.caller, id);
        await deps.approvals.beforeArchive(tx, actor, row);
        await archiveRecipient(tx, id);
        await deps.audit.record(tx, {
          by: actor,
          event: 'recipients.recipient_archived',
          subject: { kind: 'recipient', id },
        });
      }),
  };
}

const refused = (field: string, message: string) =>
  badRequest('invalid-recipient', message, [{ path: `/${field}`, message }]);

/** Returns headers of a type that has none, so that the check of the draft refuses them. */
function givenHeaders(input: RecipientInput): { ok: true; headers: Record<string, string> } {
  return {
    ok: true,
    headers: Object.fromEntries(Object.keys(input.customHeaders ?? {}).map((name) => [name, ''])),
  };
}

/** Returns true when a save changes the destination or the credentials of messages. */
function isRedirected(stored: StoredRecipient, { definition }: Edited): boolean {
  const headersOf = (headers: Readonly<Record<string, string>> | undefined) =>
    JSON.stringify(Object.entries(headers ?? {}).sort());
  return (
    stored.type !== definition.type ||
    stored.destination !== definition.destination ||
    headersOf(stored.customHeaders) !== headersOf(definition.customHeaders)
  );
}

async function nameTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error, 'recipients_name'))
      throw conflict('name-taken', 'Another recipient has this name. Choose a different one.', [
        { path: '/name', message: 'is taken: another recipient has it' },
      ]);
    throw error;
  }
}

async function mustFind(tx: Tx, id: number): Promise<RecipientRow> {
  const row = await findRecipient(tx, id);
  if (!row) throw notFound();
  return row;
}
