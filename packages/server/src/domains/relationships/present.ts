import type { Relationship, RelationshipProposal } from '@svc/contract';
import type { Proposal, StoredRelationship } from './types.ts';

export const presentRelationship = (one: StoredRelationship): Relationship => ({
  ...one,
  isVerified: one.origin === 'ForeignKey' || one.verifiedAt !== null,
  verifiedAt: one.verifiedAt?.toISOString() ?? null,
  createdTime: one.createdTime.toISOString(),
  updatedAt: one.updatedAt.toISOString(),
});

export const presentProposal = (one: Proposal): RelationshipProposal => one;
