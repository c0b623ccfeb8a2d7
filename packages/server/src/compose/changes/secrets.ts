import type { ChangeRequests } from '../../domains/approvals/index.ts';
import { createKeyDependents } from '../../domains/recipients/index.ts';
import { memoriesUnderOtherKeys } from '../../domains/row-memory/index.ts';
import { createSecrets, type SecretsService } from '../../domains/secrets/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';

/** Composes the secrets of the database, and their re-encryption under a new key. */
export function composeSecrets(
  infra: Infrastructure,
  { requests }: { readonly requests: ChangeRequests },
): Module & Pick<SecretsService, 'rotate'> {
  const { database, keys, random, log, audit } = infra;
  const secrets = createSecrets({
    database,
    keys,
    random,
    log,
    audit,
    dependents: {
      ...createKeyDependents({ database, keys, random, requests }),
      remembered: () => memoriesUnderOtherKeys(database, keys.current.id),
    },
  });
  return {
    rotate: secrets.rotate,
    start: async () => {
      // No later start can have a key that was generated for this process.
      if (infra.hasConfiguredKey) await secrets.checkAtStart();
    },
  };
}
