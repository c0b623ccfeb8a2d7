import { keptSecret, keptSecretFile } from '@svc/server/built-in-database';
import { generate } from 'selfsigned';

/** Certificate authority of the inbox, and the inbox's certificate signed by it, in PEM. */
export type InboxCertificates = {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
};

const lifetimeDays = 825;

/** Reads the inbox's certificates from the data directory, or creates them once. The authority's key is not stored. */
export async function inboxCertificates(dataDirectory: string): Promise<InboxCertificates> {
  const name = 'demo-certificates.json';
  const made = keptSecretFile(dataDirectory, name).exists ? '' : JSON.stringify(await make());
  const { value, file } = keptSecret(dataDirectory, name, () => made);
  const kept = JSON.parse(value) as InboxCertificates & { expiresAt: string };
  if (new Date(kept.expiresAt) < new Date()) {
    throw new Error(`The inbox's certificates have expired. Remove ${file} and start again.`);
  }
  return kept;
}

async function make(): Promise<InboxCertificates & { expiresAt: string }> {
  const notAfterDate = new Date(Date.now() + lifetimeDays * 86_400_000);
  const authority = await generate([{ name: 'commonName', value: 'Svc demo authority' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notAfterDate,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const inbox = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notAfterDate,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 7, ip: '127.0.0.1' },
          { type: 2, value: 'localhost' },
        ],
      },
    ],
  });
  return {
    authority: authority.cert,
    certificate: inbox.cert,
    key: inbox.private,
    expiresAt: notAfterDate.toISOString(),
  };
}
