import type { ChangeRequests } from '../domains/approvals/index.ts';
import { projectRights } from '../domains/projects/index.ts';
import {
  createRecipientApprovals,
  createRecipientReader,
  createRecipientsService,
  type RecipientApprovals,
  type RecipientsService,
  recipientRoutes,
  requireReadOfAll,
} from '../domains/recipients/index.ts';
import { createDestinationRules } from '../doors/send/index.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';

export type RecipientsPart = Part & {
  readonly recipients: RecipientsService;
  readonly approvals: RecipientApprovals;
  /** Rules for permitted destinations. */
  readonly rules: ReturnType<typeof createDestinationRules>;
  /** Reads recipients for the send gateway. */
  readonly reader: ReturnType<typeof createRecipientReader>;
};

/** Composes recipients, and the approval of their changes. */
export function composeRecipients(
  ground: Ground,
  { requests }: { readonly requests: ChangeRequests },
): RecipientsPart {
  const { database, keys, random, audit, log, settings } = ground;
  const approvals = createRecipientApprovals({
    keys,
    random,
    audit,
    requests,
    isCovered: settings.coversRecipients,
    requireReadOfAll: requireReadOfAll(projectRights),
  });
  const rules = createDestinationRules(settings.send, ground.outbound, {
    hasEmailAdapter: ground.email !== undefined,
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
    routes: recipientRoutes(recipients, ground.inbox),
    start: recipients.noteAtStart,
  };
}
