import type { ChangeRequests } from '../domains/approvals/index.ts';
import { createKeyDependents } from '../domains/recipients/index.ts';
import { memoriesUnderOtherKeys } from '../domains/row-memory/index.ts';
import { createSecrets, type SecretsService } from '../domains/secrets/index.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';

/** Composes the secrets of the database, and their re-encryption under a new key. */
export function composeSecrets(
  ground: Ground,
  { requests }: { readonly requests: ChangeRequests },
): Part & Pick<SecretsService, 'rotate'> {
  const { database, keys, random, log, audit } = ground;
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
      if (ground.hasConfiguredKey) await secrets.checkAtStart();
    },
  };
}
