import type { RecipientsDeps } from './service.ts';
import { countUnusual } from './store/index.ts';

/** Creates the function that logs at start how many recipients are not approved or not encrypted. */
export const createWarnAtStart =
  ({
    database,
    log,
    approvals,
    requireEncryptedSecrets,
  }: Pick<RecipientsDeps, 'database' | 'log' | 'approvals' | 'requireEncryptedSecrets'>) =>
  async (): Promise<void> => {
    const { notApproved, notEncrypted } = await countUnusual(database);
    if (notApproved > 0 && !approvals.isCovered)
      log.warn(
        { recipients: notApproved },
        'recipients that await approval or were rejected deliver as they are: the approval workflow does not cover them',
      );
    if (notEncrypted > 0)
      log.warn(
        { recipients: notEncrypted, isDelivering: !requireEncryptedSecrets },
        'recipients are kept unencrypted: save them again, or run `svc secrets rotate`',
      );
  };
