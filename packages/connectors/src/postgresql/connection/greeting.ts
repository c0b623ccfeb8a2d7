/** Types of message that a server sends before anybody has signed in: R, E, N, S, K, v. */
const typesBeforeSignIn = new Set([0x52, 0x45, 0x4e, 0x53, 0x4b, 0x76]);
/** None of them is nearly as long. */
const messageBytesMax = 65_536;
const headerBytes = 5;
/** S and N: whether the server goes on in TLS. It says nothing beside it. */
const tlsAnswers = new Set([0x53, 0x4e]);

/** Whether what a server said first is of PostgreSQL's protocol, as far as it tells. */
export function isPostgresqlGreeting(first: Buffer, asksForTls: boolean): boolean {
  const [type = 0] = first;
  if (asksForTls && tlsAnswers.has(type)) return first.length === 1;
  if (!typesBeforeSignIn.has(type)) return false;
  return first.length < headerBytes || first.readUInt32BE(1) <= messageBytesMax;
}
