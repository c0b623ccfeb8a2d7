/** Timeouts and limits of the hub. Every one has a default. */
export type HubLimits = {
  /** Idle time after which a connection is pinged. Clients time out after 30 s. Default 15,000 ms. */
  readonly pingIntervalMs: number;
  /** Time without a message after which a client counts as disconnected. Clients ping every 15 s. Default 30,000 ms. */
  readonly clientTimeoutMs: number;
  /** Deadline for the first record of a connection. Default 15,000 ms. */
  readonly handshakeTimeoutMs: number;
  /** Time within which a negotiated connection must open. Default 30,000 ms. */
  readonly tokenLifetimeMs: number;
  /** Maximum wait of a poll for a message. Default 90,000 ms. */
  readonly pollMs: number;
  /** Interval of the check of all connections. Default 1,000 ms. */
  readonly sweepIntervalMs: number;
  /** Time for a connection to close gracefully. Default 2,000 ms. */
  readonly closeGraceMs: number;
  /** Maximum message length of a client. Default 32 KB. */
  readonly messageBytesMax: number;
  /** Maximum size of unsent data for a slow client. The connection is cut above it. Default 256 KB. */
  readonly bufferedBytesMax: number;
  /** Maximum number of connections of this process. Default 5,000. */
  readonly connectionsMax: number;
  /** Maximum number of connections of one user in this process. Default 50. */
  readonly connectionsPerUserMax: number;
};

export const defaultHubLimits: HubLimits = {
  pingIntervalMs: 15_000,
  clientTimeoutMs: 30_000,
  handshakeTimeoutMs: 15_000,
  tokenLifetimeMs: 30_000,
  pollMs: 90_000,
  sweepIntervalMs: 1_000,
  closeGraceMs: 2_000,
  messageBytesMax: 32_768,
  bufferedBytesMax: 262_144,
  connectionsMax: 5_000,
  connectionsPerUserMax: 50,
};
