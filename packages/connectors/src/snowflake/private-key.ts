import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

const bitsMin = 2_048;
const lineLength = 64;

/**
 * Reads an RSA key in PEM (PKCS #8), encrypted or not; undefined for an invalid one. Line breaks may be missing: form
 * fields remove them.
 */
export function readPrivateKey(text: string, passphrase: string): KeyObject | undefined {
  const pem = withLineBreaks(text);
  if (pem === undefined) return undefined;
  try {
    const key = createPrivateKey({ key: pem, format: 'pem', ...(passphrase !== '' && { passphrase }) });
    const isStrong = (key.asymmetricKeyDetails?.modulusLength ?? 0) >= bitsMin;
    return key.asymmetricKeyType === 'rsa' && isStrong ? key : undefined;
  } catch {
    return undefined;
  }
}

function withLineBreaks(text: string): string | undefined {
  const [, label, body] =
    /^\s*-----BEGIN ((?:ENCRYPTED )?PRIVATE KEY)-----([A-Za-z\d+/=\s]+)-----END \1-----\s*$/.exec(text) ?? [];
  if (label === undefined || body === undefined) return undefined;
  const lines = body.replaceAll(/\s+/g, '').match(new RegExp(`.{1,${lineLength}}`, 'g')) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

/** Returns the service's name of a public key: a hash of its DER form. */
export function fingerprintOf(key: KeyObject): string {
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return `SHA256:${createHash('sha256').update(der).digest('base64')}`;
}
