import { createSigningSecret } from '@svc/channels';
import type { NumberFormat, RecipientSettings, RetryPolicy, SigningState } from '@svc/contract';
import { openSigningSecrets, sealSigningSecrets } from '../../gateways/send/index.ts';
import type { KeyRing, Randomness } from '../../platform/crypto/index.ts';
import type { Database, Tx } from '../../platform/db/index.ts';
import { conflict, notFound } from '../../platform/http/index.ts';
import type { Audit, AuditEvent, CallerActor } from '../audit/index.ts';
import {
  findSettings,
  lockSettings,
  type SettingsRow,
  saveNumberFormat,
  saveRetryPolicy,
  saveSigningSecrets,
} from './store.ts';

export type RecipientSettingsService = ReturnType<typeof createRecipientSettingsService>;

/**
 * Creates the service for delivery settings of recipients. Signatures are off until a user creates a secret, and
 * retries are off until a user sets them. No setting changes the destination, so none needs an approval.
 */
export function createRecipientSettingsService(deps: {
  readonly database: Database;
  readonly keys: KeyRing;
  readonly random: Randomness;
  readonly audit: Audit;
}) {
  const { database, keys, random } = deps;

  const secretsOf = (row: SettingsRow): readonly string[] | undefined =>
    openSigningSecrets(keys, row.id, row.signingSecretsSealed);

  const present = (row: SettingsRow): RecipientSettings => ({
    signing: stateOf(secretsOf(row)),
    retryPolicy: { retriesMax: row.retriesMax, delaySeconds: row.delaySeconds },
    numbers: row.numbers,
  });

  /** Locks the recipient, runs `change` and records the audit event. */
  const changing = <T>(
    actor: CallerActor,
    id: number,
    event: AuditEvent['event'],
    change: (tx: Tx, row: SettingsRow) => Promise<{ answer: T; detail?: Record<string, unknown> }>,
  ): Promise<T> =>
    database.transaction(async (tx) => {
      const row = await lockSettings(tx, id);
      if (!row) throw notFound();
      const { answer, detail } = await change(tx, row);
      await deps.audit.record(tx, {
        by: actor,
        event,
        subject: { kind: 'recipient', id },
        ...(detail && { detail }),
      });
      return answer;
    });

  const keep = (tx: Tx, id: number, secrets: readonly string[]): Promise<void> =>
    saveSigningSecrets(tx, id, sealSigningSecrets(keys, id, secrets, random));

  return {
    get: async (id: number): Promise<RecipientSettings> => {
      const row = await findSettings(database, id);
      if (!row) throw notFound();
      return present(row);
    },

    setRetryPolicy: (actor: CallerActor, id: number, policy: RetryPolicy): Promise<RecipientSettings> =>
      changing(actor, id, 'recipients.retry_policy_changed', async (tx, row) => {
        await saveRetryPolicy(tx, id, policy);
        return { answer: present({ ...row, ...policy }), detail: { ...policy } };
      }),

    setNumberFormat: (actor: CallerActor, id: number, numbers: NumberFormat): Promise<RecipientSettings> =>
      changing(actor, id, 'recipients.number_format_changed', async (tx, row) => {
        await saveNumberFormat(tx, id, numbers);
        return { answer: present({ ...row, numbers }), detail: { numbers } };
      }),

    /** Creates a secret. The previous secret signs in addition until it is removed. An older secret is deleted. */
    createSecret: (actor: CallerActor, id: number): Promise<{ secret: string; signing: SigningState }> =>
      changing(actor, id, 'recipients.signing_secret_created', async (tx, row) => {
        if (row.notificationType !== 'Webhook')
          throw conflict('not-a-webhook', 'Only messages to webhooks are signed.');
        const [current] = secretsOf(row) ?? [];
        const secret = createSigningSecret(random);
        const secrets = current === undefined ? [secret] : [secret, current];
        await keep(tx, id, secrets);
        return { answer: { secret, signing: stateOf(secrets) } };
      }),

    removePrevious: (actor: CallerActor, id: number): Promise<void> =>
      changing(actor, id, 'recipients.signing_secret_removed', async (tx, row) => {
        const [current] = secretsOf(row) ?? [];
        if (current !== undefined) await keep(tx, id, [current]);
        return { answer: undefined };
      }),

    removeSecrets: (actor: CallerActor, id: number): Promise<void> =>
      changing(actor, id, 'recipients.signing_turned_off', async (tx) => {
        await keep(tx, id, []);
        return { answer: undefined };
      }),
  };
}

function stateOf(secrets: readonly string[] | undefined): SigningState {
  if (!secrets) return 'Unreadable';
  if (secrets.length === 0) return 'Off';
  return secrets.length === 1 ? 'On' : 'Rotating';
}
