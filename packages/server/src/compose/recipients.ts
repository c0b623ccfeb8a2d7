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
  /** Which destinations may be sent to. */
  readonly rules: ReturnType<typeof createDestinationRules>;
  /** Recipients as the send door reads them. */
  readonly reader: ReturnType<typeof createRecipientReader>;
};

/** Recipients, and which of their changes wait for a second pair of eyes. */
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
