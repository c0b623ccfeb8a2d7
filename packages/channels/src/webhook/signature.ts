import { createHmac } from 'node:crypto';

/**
 * Signatures of webhooks after the Standard Webhooks specification, version 1: three headers beside the body, which
 * stays as it is. They are off unless a recipient has a signing secret.
 */

const secretPrefix = 'whsec_';
const secretBytesMin = 24;
const secretBytesMax = 64;
const secretBytes = 32;

/** Secrets that may sign at once: the current one, and the one before while receivers change over. */
export const signingSecretsMax = 2;

/** Makes a signing secret, to be shown once: `whsec_` and 32 random bytes in base64. */
export function createSigningSecret(random: (byteCount: number) => Buffer): string {
  return `${secretPrefix}${random(secretBytes).toString('base64')}`;
}

/** The key that a signing secret stands for; undefined when the text is none. */
function keyOf(secret: string): Buffer | undefined {
  if (!secret.startsWith(secretPrefix)) return undefined;
  const text = secret.slice(secretPrefix.length);
  const key = Buffer.from(text, 'base64');
  const isCanonical = key.toString('base64') === text;
  return isCanonical && key.length >= secretBytesMin && key.length <= secretBytesMax ? key : undefined;
}

/** Whether a text is a signing secret: `whsec_` and 24 to 64 bytes in base64. */
export function isSigningSecret(text: string): boolean {
  return keyOf(text) !== undefined;
}

/** What a message is signed with. */
export type WebhookSigning = {
  /** The same for every attempt at the same message, so that a receiver can tell a repetition. */
  readonly messageId: string;
  /** When this attempt is made; receivers refuse old ones. */
  readonly timestamp: Date;
  /** One secret, or two while they are rotated. */
  readonly secrets: readonly string[];
};

/**
 * Returns the `webhook-id` of a message of the service. Ids of single messages of a run contain a dot, which separates the
 * parts of a signed text: it becomes an underscore.
 */
export const webhookIdOf = (messageId: string): string => messageId.replaceAll('.', '_');

/**
 * The headers for a body: `webhook-id`, `webhook-timestamp` (seconds), `webhook-signature` (`v1,` and the HMAC-SHA-256
 * of id, timestamp and body, one per secret).
 *
 * @throws TypeError when an id or a secret is none: both are the service's own.
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
