import { type EmailAdapter, encodeHtml } from '@svc/channels';
import { plural } from '@svc/contract';
import { type Clock, statementTime } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { type Audit, systemActor } from '../audit/index.ts';
import type { KeyRules } from './access.ts';
import { addressToTell, claimNotices, type DueNotice } from './notice-store.ts';

/** Stores the notice of a key that ends soon for its owner, in the transaction that claims it. */
export type NotifyKeyOwner = (
  tx: Tx,
  key: { readonly id: number; readonly endsWithinDays: number },
) => Promise<void>;

/** Tells owners that a key of theirs ends soon: 14, 3 and 1 days before. */
export type ExpiryNotices = {
  /** Gives the notices that are due; each is given once, whichever process sees it. */
  readonly give: () => Promise<void>;
};

/** At a time; the rest has its turn an interval later. */
const atOnce = 200;
const mailTimeoutMs = 20_000;

/**
 * Notices are in the log, in the audit, in the list of keys and among the owner's notices, and are sent by email where the host has an adapter
 * and the owner an address. Whether the owner can still use the key is asked when its mail leaves. A mail that is not
 * accepted is not sent again.
 */
export function createExpiryNotices(deps: {
  database: Database;
  clock: Clock;
  log: Logger;
  audit: Audit;
  rules: KeyRules;
  notifyOwner: NotifyKeyOwner;
  email: EmailAdapter | undefined;
  /** Address of the page of keys; undefined: the mail holds no link. */
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
      // Asked for each mail: those before it may have taken minutes.
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
