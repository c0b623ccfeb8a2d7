import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import tls from 'node:tls';

const pemBlock = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** @throws RangeError where a file of certificates cannot be read, in the words of whatever named it. */
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
 * Reads certificates of authorities (`Svc:Notifications:TrustedCertificates`): each entry is a PEM text or the path
 * of a PEM file.
 *
 * @throws RangeError naming the entry that holds no certificate or a broken one.
 */
export function readTrustedCertificates(entries: readonly string[]): string[] {
  return entries.flatMap((entry, index) => {
    const name = `Svc:Notifications:TrustedCertificates:${index}`;
    return certificatesIn(entry.includes('-----BEGIN ') ? entry : readCertificateFile(entry, name), name);
  });
}

/**
 * Reads the certificates of the files that a connection string of PostgreSQL names. Whether they fit together, or are
 * still valid, is not looked at; a key is only looked at for whether it can be read.
 *
 * @returns each certificate with the parameter and the setting that name it.
 * @throws RangeError naming the parameter and the setting of a file that cannot be read, or holds no certificate.
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

/** The process's default authorities and the trusted ones. Undefined when there are none to add. */
export function authoritiesWith(trusted: readonly string[]): string[] | undefined {
  return trusted.length === 0 ? undefined : [...tls.getCACertificates('default'), ...trusted];
}
