import type { Relationship, RelationshipProposal } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import { brokenRule } from '../../platform/http/index.ts';
import { requireInProject } from '../data-sources/index.ts';
import type { RelationshipsDeps } from './deps.ts';
import { presentProposal, presentRelationship } from './present.ts';
import { readSnapshot, requireRelationship } from './read.ts';
import { proposalsFor } from './schema/infer.ts';
import { insertRelationships, storedEnds } from './store.ts';
import { type Ends, keyOfEnds, type Proposal } from './types.ts';

/** Returns inferred relationships that are not stored and were not deleted. */
async function readProposals(executor: Executor, dataSourceId: number): Promise<Proposal[]> {
  const { schema } = await readSnapshot(executor, dataSourceId);
  const storedKeys = new Set((await storedEnds(executor, dataSourceId)).map(keyOfEnds));
  return proposalsFor(schema).filter((proposal) => !storedKeys.has(keyOfEnds(proposal)));
}

export const createDiscover =
  ({ database }: Pick<RelationshipsDeps, 'database'>) =>
  async (caller: Caller, dataSourceId: number): Promise<{ proposals: RelationshipProposal[] }> => {
    await requireInProject(database, caller, dataSourceId, 'Read');
    return { proposals: (await readProposals(database, dataSourceId)).map(presentProposal) };
  };

/** Stores proposals. Refuses all of them if one is not proposed any more. */
export const createAccept =
  ({ database }: Pick<RelationshipsDeps, 'database'>) =>
  (caller: Caller, dataSourceId: number, accepted: readonly Ends[]): Promise<{ items: Relationship[] }> =>
    database.transaction(async (tx) => {
      await requireInProject(tx, caller, dataSourceId, 'Write');
      const byEnds = new Map((await readProposals(tx, dataSourceId)).map((one) => [keyOfEnds(one), one]));
      const proposals = [...new Set(accepted.map(keyOfEnds))].map((key) => {
        const proposal = byEnds.get(key);
        if (proposal) return proposal;
        throw brokenRule(
          'relationship-not-proposed',
          'One of these is not proposed, or not any more: ask for the proposals again.',
        );
      });
      const ids = await insertRelationships(
        tx,
        dataSourceId,
        proposals.map(({ source, target, label, cardinality, confidence }) => ({
          source,
          target,
          label,
          cardinality,
          confidence,
          origin: 'Inferred',
          isVerified: false,
          createdByUserId: caller.userId,
        })),
      );
      const items: Relationship[] = [];
      for (const id of ids) items.push(presentRelationship(await requireRelationship(tx, dataSourceId, id)));
      return { items };
    });
