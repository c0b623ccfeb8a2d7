import type { Recipient, RecipientInput } from '@svc/contract';
import { sealRecipient } from '../../gateways/send/index.ts';
import type { Tx } from '../../platform/db/index.ts';
import { notFound } from '../../platform/http/index.ts';
import type { CallerActor } from '../audit/index.ts';
import { draftOf } from './draft.ts';
import { withUniqueName } from './name.ts';
import { presentRecipient } from './present.ts';
import type { RecipientsDeps } from './service.ts';
import { findRecipient, insertRecipient, saveSecrets } from './store/index.ts';

/** Creates the function that creates a recipient and requests its approval. */
export const createCreate =
  ({ database, keys, random, audit, rules, allowedHeaders, approvals }: RecipientsDeps) =>
  /** @param within  Further statements of the transaction. */
  async (
    actor: CallerActor,
    input: RecipientInput,
    within?: (tx: Tx, id: number) => Promise<void>,
  ): Promise<Recipient> => {
    const { fields, definition } = await draftOf({ rules, allowedHeaders }, input, undefined);
    return withUniqueName(() =>
      database.transaction(async (tx) => {
        const id = await insertRecipient(tx, fields, actor.caller.userId);
        await saveSecrets(tx, id, sealRecipient(keys, id, definition, random));
        await approvals.afterCreate(tx, actor, id, definition);
        await audit.record(tx, {
          by: actor,
          event: 'recipients.recipient_created',
          subject: { kind: 'recipient', id },
          detail: { notificationType: fields.notificationType },
        });
        await within?.(tx, id);
        const row = await findRecipient(tx, id);
        if (!row) throw notFound();
        return presentRecipient({ keys, stateOf: approvals.stateOf }, row, actor.caller);
      }),
    );
  };
