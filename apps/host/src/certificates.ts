import { type Config, readConnectionCertificates, readTrustedCertificates } from '@svc/server';
import { type Finding, lookAtCertificates, type NamedCertificate } from '@svc/server/operations';

/**
 * Returns the certificates of the metadata database's connection strings.
 *
 * @throws Error that names the setting of an unreadable file.
 */
export function databaseCertificates(config: Config): readonly NamedCertificate[] {
  return (['Svc:Database:ConnectionString', 'Svc:Database:ReadConnectionString'] as const).flatMap((key) => {
    const connectionString = config[key];
    return connectionString === undefined ? [] : readConnectionCertificates(connectionString, key);
  });
}

/**
 * Checks the validity of the configured certificates, now and in the near future.
 *
 * @throws Error that names the setting of an unreadable certificate.
 */
export function lookAtNamedCertificates(config: Config): readonly Finding[] {
  const key = 'Svc:Notifications:TrustedCertificates';
  const trusted = readTrustedCertificates(config[key]).map((pem) => ({ name: key, pem }));
  return lookAtCertificates([...trusted, ...databaseCertificates(config)], new Date());
}
