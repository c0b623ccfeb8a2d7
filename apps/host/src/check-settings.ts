import { type Config, checkSettings } from '@svc/server';
import { databaseCertificates } from './certificates.ts';
import { checkMail } from './email/index.ts';
import { checkEncryptionKey } from './encryption-key.ts';
import { checkProvisioning } from './provisioning.ts';
import { checkMetrics } from './telemetry/index.ts';

/**
 * Checks the settings of the standalone process and of its service, as a start does. Connects to nothing.
 *
 * @throws Error that names the key of each invalid setting, one per line.
 */
export function checkAllSettings(config: Config): void {
  refuse([...checkSettings(config), ...faultsOfHost(config)]);
}

/**
 * Checks only the settings of the standalone process.
 *
 * @throws Error that names the key of each invalid setting, one per line.
 */
export function checkHostSettings(config: Config): void {
  refuse(faultsOfHost(config));
}

function faultsOfHost(config: Config): readonly string[] {
  const checks = [checkEncryptionKey, databaseCertificates, checkMail, checkMetrics, checkProvisioning];
  return checks.flatMap((check) => {
    try {
      check(config);
      return [];
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  });
}

function refuse(faults: readonly string[]): void {
  const distinct = [...new Set(faults)];
  if (distinct.length > 0) throw new Error(distinct.join('\n'));
}
