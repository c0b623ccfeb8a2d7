import type { ChangeRequests } from '../../domains/approvals/index.ts';
import { projectRights } from '../../domains/projects/index.ts';
import {
  createRecipientApprovals,
  createRecipientReader,
  createRecipientsService,
  type RecipientApprovals,
  type RecipientsService,
  recipientRoutes,
  requireReadOfAll,
} from '../../domains/recipients/index.ts';
import { createDestinationRules } from '../../gateways/send/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';

export type RecipientsModule = Module & {
  readonly recipients: RecipientsService;
  readonly approvals: RecipientApprovals;
  /** Rules for permitted destinations. */
  readonly rules: ReturnType<typeof createDestinationRules>;
  /** Reads recipients for the send gateway. */
  readonly reader: ReturnType<typeof createRecipientReader>;
};

/** Composes recipients, and the approval of their changes. */
export function composeRecipients(
  infra: Infrastructure,
  { requests }: { readonly requests: ChangeRequests },
): RecipientsModule {
  const { database, keys, random, audit, log, settings } = infra;
  const approvals = createRecipientApprovals({
    keys,
    random,
    audit,
    requests,
    isCovered: settings.coversRecipients,
    requireReadOfAll: requireReadOfAll(projectRights),
  });
  const rules = createDestinationRules(settings.send, infra.outbound, {
    hasEmailAdapter: infra.email !== undefined,
  });
  const recipients = createRecipientsService({
    database,
    log,
    keys,
    random,
    audit,
    rights: projectRights,
    rules,
    approvals,
    allowedHeaders: settings.send.allowedHeaders,
    requireEncryptedSecrets: settings.send.requireEncryptedSecrets,
  });
  return {
    recipients,
    approvals,
    rules,
    reader: createRecipientReader(database, approvals),
    routes: recipientRoutes(recipients, infra.inbox),
    start: recipients.noteAtStart,
  };
}
