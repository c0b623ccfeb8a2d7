import { type EmailAdapter, encodeHtml } from '@svc/channels';
import { plural } from '@svc/contract';
import { type Clock, statementTime } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { type Audit, systemActor } from '../audit/index.ts';
import type { KeyRules } from './access.ts';
import { addressToTell, claimNotices, type DueNotice } from './notice-store.ts';

/** Stores a notice to the owner of an expiring key, in the transaction that claims it. */
export type NotifyKeyOwner = (
  tx: Tx,
  key: { readonly id: number; readonly endsWithinDays: number },
) => Promise<void>;

/** Notifies owners 14, 3 and 1 days before the expiry of a key. */
export type ExpiryNotices = {
  /** Sends the due notices. Each is sent once, by any process. */
  readonly give: () => Promise<void>;
};

/** Maximum number of notices per round. The others follow an interval later. */
const atOnce = 200;
const mailTimeoutMs = 20_000;

/**
 * Creates the expiry notices. A notice is written to the log, the audit, the list of keys and the owner's notices. It is
 * also sent by email if the host has an adapter and the owner an address. The validity for the owner is checked when the
 * email is sent. A rejected email is not retried.
 */
export function createExpiryNotices(deps: {
  database: Database;
  clock: Clock;
  log: Logger;
  audit: Audit;
  rules: KeyRules;
  notifyOwner: NotifyKeyOwner;
  email: EmailAdapter | undefined;
  /** Address of the page of keys. Undefined: the email contains no link. */
  pageUrl: string | undefined;
}): ExpiryNotices {
  const { database, clock, log, audit, rules, email } = deps;

  const claim = () =>
    database.transaction(async (tx) => {
      const enforcedDays = rules.enforceMaxLifetimeOnExistingKeys ? rules.maxLifetimeDays : null;
      const due = await claimNotices(tx, { at: statementTime(clock), enforcedDays, limit: atOnce });
      for (const { id, ownerUserId, endsWithinDays } of due) {
        await audit.record(tx, {
          event: 'keys.api_key_expiry_noticed',
          by: systemActor,
          subject: { kind: 'api_key', id },
          detail: { ownerUserId, endsWithinDays },
        });
        await deps.notifyOwner(tx, { id, endsWithinDays });
      }
      return due;
    });

  const send = async (notice: DueNotice): Promise<void> => {
    if (!email) return;
    try {
      // Read for each email: sending the earlier ones may have taken minutes.
      const to = await addressToTell(database, notice.id);
      if (to === null) return;
      await email({ to, ...mailOf(notice, deps.pageUrl) }, AbortSignal.timeout(mailTimeoutMs));
    } catch (error) {
      log.warn({ err: error, apiKeyId: notice.id }, 'the notice that an API key ends could not be sent');
    }
  };

  return {
    give: async () => {
      for (const notice of await claim()) {
        const { id, ownerUserId, endsWithinDays } = notice;
        log.info({ apiKeyId: id, ownerUserId, endsWithinDays }, 'an API key ends soon');
        await send(notice);
      }
    },
  };
}

function mailOf(notice: DueNotice, pageUrl: string | undefined) {
  const { name, prefix, endsAt, endsWithinDays } = notice;
  const days = endsWithinDays === 1 ? 'a day' : plural(endsWithinDays, 'day');
  const lines = [
    `Your API key “${name}” (${prefix}…) ends at ${endsAt.toISOString()}, in less than ${days}.`,
    'What uses it stops working then. Replace it in time: the new key has the same scopes and projects, and the old one works on for a while.',
    ...(pageUrl === undefined ? [] : [pageUrl]),
  ];
  return {
    subject: `The API key “${oneLine(name)}” ends in less than ${days}`,
    text: lines.join('\n\n'),
    html: lines.map((line) => `<p>${encodeHtml(line)}</p>`).join('\n'),
  };
}

const oneLine = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ');
