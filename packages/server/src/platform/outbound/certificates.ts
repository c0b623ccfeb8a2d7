import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import tls from 'node:tls';

const pemBlock = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** @throws RangeError with the given name if a certificate file cannot be read. */
function readCertificateFile(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = 'it is no path' } = error as NodeJS.ErrnoException;
    throw new RangeError(
      `${name} names the file ${file}, which cannot be read (${code}). Name a file that the user of the service may read.`,
      { cause: error },
    );
  }
}

function certificatesIn(text: string, name: string): string[] {
  const blocks = text.match(pemBlock) ?? [];
  if (blocks.length === 0) throw new RangeError(`${name} holds no certificate in PEM form.`);
  for (const block of blocks) {
    try {
      new X509Certificate(block);
    } catch (error) {
      throw new RangeError(`${name} holds a certificate that cannot be read.`, { cause: error });
    }
  }
  return blocks;
}

/**
 * Reads authority certificates (`Svc:Notifications:TrustedCertificates`). Each entry is a PEM text or the path of a
 * PEM file.
 *
 * @throws RangeError naming the entry that contains no certificate or a broken one.
 */
export function readTrustedCertificates(entries: readonly string[]): string[] {
  return entries.flatMap((entry, index) => {
    const name = `Svc:Notifications:TrustedCertificates:${index}`;
    return certificatesIn(entry.includes('-----BEGIN ') ? entry : readCertificateFile(entry, name), name);
  });
}

/**
 * Reads the certificate files of a PostgreSQL connection string. Does not check if the certificates match or are
 * still valid. A key file must only be readable.
 *
 * @returns each certificate with the names of its parameter and setting.
 * @throws RangeError naming the parameter and the setting of a file that cannot be read, or contains no
 * certificate.
 */
export function readConnectionCertificates(
  connectionString: string,
  setting: string,
): { readonly name: string; readonly pem: string }[] {
  if (!URL.canParse(connectionString)) return [];
  const { searchParams } = new URL(connectionString);
  return ['sslrootcert', 'sslcert', 'sslkey'].flatMap((parameter) => {
    const file = searchParams.get(parameter);
    if (!file) return [];
    const name = `${parameter} of ${setting}`;
    const text = readCertificateFile(file, name);
    return parameter === 'sslkey' ? [] : certificatesIn(text, name).map((pem) => ({ name, pem }));
  });
}

/** Returns the process's default authorities and the trusted ones. Undefined without additional ones. */
export function authoritiesWith(trusted: readonly string[]): string[] | undefined {
  return trusted.length === 0 ? undefined : [...tls.getCACertificates('default'), ...trusted];
}
