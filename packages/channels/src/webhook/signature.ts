import { createHmac } from 'node:crypto';

/**
 * Signatures of webhooks by the Standard Webhooks specification, version 1: three headers; the body does not change.
 * Only recipients with a signing secret get them.
 */

const secretPrefix = 'whsec_';
const secretBytesMin = 24;
const secretBytesMax = 64;
const secretBytes = 32;

/** Active signing secrets, at most: the current one, and the previous one during a rotation. */
export const signingSecretsMax = 2;

/** Creates a signing secret, to be shown once: `whsec_` and 32 random bytes in base64. */
export function createSigningSecret(random: (byteCount: number) => Buffer): string {
  return `${secretPrefix}${random(secretBytes).toString('base64')}`;
}

/** Returns the key of a signing secret; undefined if the text is not a signing secret. */
function keyOf(secret: string): Buffer | undefined {
  if (!secret.startsWith(secretPrefix)) return undefined;
  const text = secret.slice(secretPrefix.length);
  const key = Buffer.from(text, 'base64');
  const isCanonical = key.toString('base64') === text;
  return isCanonical && key.length >= secretBytesMin && key.length <= secretBytesMax ? key : undefined;
}

/** Returns true for a signing secret: `whsec_` and 24 to 64 bytes in base64. */
export function isSigningSecret(text: string): boolean {
  return keyOf(text) !== undefined;
}

/** Input of a signature. */
export type WebhookSigning = {
  /** Equal for every attempt at the same message, so that a receiver can detect duplicates. */
  readonly messageId: string;
  /** Time of this attempt; receivers refuse old timestamps. */
  readonly timestamp: Date;
  /** One secret, or two during a rotation. */
  readonly secrets: readonly string[];
};

/**
 * Returns the `webhook-id` of a message of the service. Ids of single messages of a run contain a dot, which separates
 * the parts of a signed text. It becomes an underscore.
 */
export const webhookIdOf = (messageId: string): string => messageId.replaceAll('.', '_');

/**
 * Returns the headers for a body: `webhook-id`, `webhook-timestamp` (seconds) and `webhook-signature`. The signature is
 * `v1,` and the HMAC-SHA-256 of id, timestamp and body, one per secret.
 *
 * @throws TypeError for an invalid id or secret: the service generates both.
 */
export function signatureHeaders(
  { messageId, timestamp, secrets }: WebhookSigning,
  body: string,
): Readonly<Record<string, string>> {
  if (!/^[\w-]{1,128}$/.test(messageId))
    throw new TypeError('The id of a signed message holds other characters.');
  const seconds = Math.floor(timestamp.getTime() / 1_000);
  const signatures = secrets.map((secret) => {
    const key = keyOf(secret);
    if (!key) throw new TypeError('A signing secret is not one.');
    return `v1,${createHmac('sha256', key).update(`${messageId}.${seconds}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  };
}
