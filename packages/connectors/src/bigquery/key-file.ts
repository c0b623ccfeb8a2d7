import { createPrivateKey } from 'node:crypto';
import { property } from '../http/json/json-property.ts';

/** Fields of a service account's key file that are used. Its addresses are ignored. */
export type ServiceAccountKey = {
  readonly clientEmail: string;
  readonly keyId: string;
  /** PEM text of PKCS #8. */
  readonly privateKey: string;
};

/** Returns the fault of a key file, or undefined for a valid one. The fault repeats no text of the file. */
export function keyFileFault(text: string): string | undefined {
  const read = readFields(text);
  if ('fault' in read) return read.fault;
  return isRsaKey(read.privateKey) ? undefined : 'must hold a private RSA key as PEM';
}

/** Reads a key file that `keyFileFault` has accepted. */
export function readKeyFile(text: string): ServiceAccountKey {
  const read = readFields(text);
  if ('fault' in read) throw new TypeError('The key file was not checked.');
  return read;
}

function readFields(text: string): ServiceAccountKey | { readonly fault: string } {
  const file = parsed(text);
  if (file === undefined) return { fault: 'must be the JSON text of a key file' };
  const [clientEmail, keyId, privateKey] = ['client_email', 'private_key_id', 'private_key'].map((name) =>
    property(file, name),
  );
  if (property(file, 'type') !== 'service_account' || !isText(clientEmail) || !isText(keyId))
    return { fault: 'must be the key file of a service account' };
  const universe = property(file, 'universe_domain') ?? 'googleapis.com';
  if (universe !== 'googleapis.com') return { fault: 'must be for googleapis.com: no other cloud is asked' };
  if (!isText(privateKey)) return { fault: 'must hold a private RSA key as PEM' };
  return { clientEmail, keyId, privateKey };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRsaKey(pem: string): boolean {
  try {
    return pem.includes('-----BEGIN PRIVATE KEY-----') && createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}
