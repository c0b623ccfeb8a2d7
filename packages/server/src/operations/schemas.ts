import { jobMigrations } from '@svc/jobs';
import { type Migration, readMigrations } from '../platform/db/index.ts';

/** A schema of the metadata database and the files that make it. */
export type KnownSchema = { readonly name: 'svc' | 'svc_jobs'; readonly migrations: readonly Migration[] };

/** The two schemas of the metadata database, in the order in which a start makes them. */
export const knownSchemas = (): readonly KnownSchema[] => [
  { name: 'svc', migrations: readMigrations() },
  { name: 'svc_jobs', migrations: jobMigrations() },
];
