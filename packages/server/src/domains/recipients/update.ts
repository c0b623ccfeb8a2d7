import type { Recipient, RecipientInput } from '@svc/contract';
import { sealRecipient } from '../../gateways/send/index.ts';
import { changedMeanwhile, notFound } from '../../platform/http/index.ts';
import type { CallerActor } from '../audit/index.ts';
import { assertUnmanaged } from '../managed-records/index.ts';
import { definitionOf } from './definition.ts';
import { draftOf, isRedirected } from './draft.ts';
import { withUniqueName } from './name.ts';
import { presentRecipient, storedRecipient } from './present.ts';
import { requireReadOfAll } from './reach.ts';
import type { RecipientsDeps } from './service.ts';
import { findRecipient, lockRecipient, saveSecrets, updateRecipient } from './store/index.ts';

/** Creates the function that changes a recipient. A change of its destination needs a new approval. */
export const createUpdate = (deps: RecipientsDeps) => {
  const { database, keys, random, audit, rules, allowedHeaders, approvals } = deps;
  const requireReach = requireReadOfAll(deps.rights);
  return async (
    actor: CallerActor,
    id: number,
    input: RecipientInput,
    ifVersion: number | undefined,
  ): Promise<Recipient> => {
    const before = await findRecipient(database, id);
    if (!before) throw notFound();
    // The check resolves names, so it runs outside the transaction. Inside, the version shows whether the row
    // changed.
    const stored = storedRecipient(keys, before);
    const draft = await draftOf({ rules, allowedHeaders }, input, stored);
    const { fields, definition } = draft;
    return withUniqueName(() =>
      database.transaction(async (tx) => {
        const row = await lockRecipient(tx, id);
        if (!row) throw notFound();
        await assertUnmanaged(tx, actor, 'Recipient', id);
        if (row.version !== (ifVersion ?? before.version)) throw changedMeanwhile();
        const redirects = isRedirected(stored, draft);
        if (redirects) await requireReach(tx, actor.caller, id);
        const save = { row, stored: definitionOf(keys, before), definition, redirects };
        await approvals.beforeSave(tx, actor, save);
        await updateRecipient(tx, id, fields);
        await saveSecrets(tx, id, sealRecipient(keys, id, definition, random));
        await audit.record(tx, {
          by: actor,
          event: 'recipients.recipient_changed',
          subject: { kind: 'recipient', id },
          detail: { redirects },
        });
        const after = await findRecipient(tx, id);
        if (!after) throw notFound();
        return presentRecipient({ keys, stateOf: approvals.stateOf }, after, actor.caller);
      }),
    );
  };
};
