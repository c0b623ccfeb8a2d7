/** Types of messages that a server sends before sign-in: R, E, N, S, K, v. */
const typesBeforeSignIn = new Set([0x52, 0x45, 0x4e, 0x53, 0x4b, 0x76]);
/** Upper bound for a message before sign-in. Real ones are much shorter. */
const messageBytesMax = 65_536;
const headerBytes = 5;
/** S and N: the server accepts or refuses TLS. The answer is this one byte. */
const tlsAnswers = new Set([0x53, 0x4e]);

/** Returns true if the first chunk of a server can belong to PostgreSQL's protocol. */
export function isPostgresqlGreeting(first: Buffer, asksForTls: boolean): boolean {
  const [type = 0] = first;
  if (asksForTls && tlsAnswers.has(type)) return first.length === 1;
  if (!typesBeforeSignIn.has(type)) return false;
  return first.length < headerBytes || first.readUInt32BE(1) <= messageBytesMax;
}
