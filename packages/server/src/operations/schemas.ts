import { jobMigrations } from '@svc/jobs';
import { type Migration, readMigrations } from '../platform/db/index.ts';

/** A schema of the metadata database with its migration files. */
export type KnownSchema = { readonly name: 'svc' | 'svc_jobs'; readonly migrations: readonly Migration[] };

/** Returns the two schemas of the metadata database, in creation order. */
export const knownSchemas = (): readonly KnownSchema[] => [
  { name: 'svc', migrations: readMigrations() },
  { name: 'svc_jobs', migrations: jobMigrations() },
];
