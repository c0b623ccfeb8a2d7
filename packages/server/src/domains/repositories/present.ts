import type { Repository } from '@svc/contract';
import { nameOf } from './address.ts';
import type { RepositoryRow } from './store.ts';

export const presentRepository = ({ tokenSealed, ...row }: RepositoryRow): Repository => ({
  ...row,
  name: nameOf(row.url),
  hasToken: tokenSealed !== null,
  scannedAt: row.scannedAt?.toISOString() ?? null,
  createdTime: row.createdTime.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
