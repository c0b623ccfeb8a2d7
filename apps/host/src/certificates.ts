import { type Config, readConnectionCertificates, readTrustedCertificates } from '@svc/server';
import { type Finding, lookAtCertificates, type NamedCertificate } from '@svc/server/operations';

/**
 * The certificates that the connection strings of the metadata database name.
 *
 * @throws Error that names the setting of a file that cannot be read.
 */
export function databaseCertificates(config: Config): readonly NamedCertificate[] {
  return (['Svc:Database:ConnectionString', 'Svc:Database:ReadConnectionString'] as const).flatMap((key) => {
    const connectionString = config[key];
    return connectionString === undefined ? [] : readConnectionCertificates(connectionString, key);
  });
}

/**
 * Whether the certificates that the settings name hold now, and for a while.
 *
 * @throws Error that names the setting of one that cannot be read.
 */
export function lookAtNamedCertificates(config: Config): readonly Finding[] {
  const key = 'Svc:Notifications:TrustedCertificates';
  const trusted = readTrustedCertificates(config[key]).map((pem) => ({ name: key, pem }));
  return lookAtCertificates([...trusted, ...databaseCertificates(config)], new Date());
}
