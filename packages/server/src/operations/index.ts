/** Operations of the service from its machine, while it runs or is stopped. No page and no route calls them. */

export { type FailedAttempt, whileDatabaseAway } from '../platform/db/index.ts';
export { openBackup, verifyBackup } from './backup/archive.ts';
export { type BackupOptions, createBackup } from './backup/create.ts';
export type { BackupManifest } from './backup/manifest.ts';
export { type RestoreOptions, type RestoreProgress, restoreBackup } from './backup/restore.ts';
export { lookAtCertificates, type NamedCertificate, whyNotTrusted } from './doctor/certificates.ts';
export { type Examination, examineDatabase, examineSessions } from './doctor/examine.ts';
export { type Finding, fault, warning, well } from './doctor/finding.ts';
export { faultsOf, requireUsableDatabase } from './doctor/require.ts';
export { holdsKeys } from './keys.ts';
export { applyMigrations } from './migrate.ts';
export { type MigrationPlan, planMigrations } from './migration-plan.ts';
