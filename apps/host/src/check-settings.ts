import { type Config, checkSettings } from '@svc/server';
import { databaseCertificates } from './certificates.ts';
import { checkMail } from './email/index.ts';
import { checkEncryptionKey } from './encryption-key.ts';
import { checkProvisioning } from './provisioning.ts';
import { checkMetrics } from './telemetry/index.ts';

/**
 * Checks the settings of the standalone process and of the service in it as a start does, and connects to nothing.
 *
 * @throws Error that names the key of a setting that cannot hold.
 */
export function checkAllSettings(config: Config): void {
  checkSettings(config);
  checkHostSettings(config);
}

/**
 * Checks the settings of the standalone process alone.
 *
 * @throws Error that names the key of a setting that cannot hold.
 */
export function checkHostSettings(config: Config): void {
  checkEncryptionKey(config);
  databaseCertificates(config);
  checkMail(config);
  checkMetrics(config);
  checkProvisioning(config);
}
