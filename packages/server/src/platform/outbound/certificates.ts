import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import tls from 'node:tls';

const pemBlock = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

function textOf(entry: string, name: string): string {
  if (entry.includes('-----BEGIN ')) return entry;
  try {
    return readFileSync(entry, 'utf8');
  } catch (error) {
    throw new RangeError(`${name} is neither a certificate in PEM form nor a file that can be read.`, {
      cause: error,
    });
  }
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
    const blocks = textOf(entry, name).match(pemBlock) ?? [];
    if (blocks.length === 0) throw new RangeError(`${name} holds no certificate in PEM form.`);
    for (const block of blocks) {
      try {
        new X509Certificate(block);
      } catch (error) {
        throw new RangeError(`${name} holds a certificate that cannot be read.`, { cause: error });
      }
    }
    return blocks;
  });
}

/** The process's default authorities and the trusted ones. Undefined when there are none to add. */
export function authoritiesWith(trusted: readonly string[]): string[] | undefined {
  return trusted.length === 0 ? undefined : [...tls.getCACertificates('default'), ...trusted];
}
