/** Times and bounds of the hub; every one has a default. */
export type HubLimits = {
  /** A connection to which nothing was sent for so long is pinged. Clients give up after 30 s. Default 15,000 ms. */
  readonly pingIntervalMs: number;
  /** A client that says nothing for so long is gone. Clients ping every 15 s. Default 30,000 ms. */
  readonly clientTimeoutMs: number;
  /** Time for the first record of a connection. Default 15,000 ms. */
  readonly handshakeTimeoutMs: number;
  /** How long a negotiated connection may be waited for. Default 30,000 ms. */
  readonly tokenLifetimeMs: number;
  /** How long a poll of long polling waits for something to say. Default 90,000 ms. */
  readonly pollMs: number;
  /** How often all connections are looked at. Default 1,000 ms. */
  readonly sweepIntervalMs: number;
  /** Time that a connection has to end after it was told to. Default 2,000 ms. */
  readonly closeGraceMs: number;
  /** Longest message of a client. Default 32 KB. */
  readonly messageBytesMax: number;
  /** What may wait for a client that does not read; with more it is cut off. Default 256 KB. */
  readonly bufferedBytesMax: number;
  /** Connections of this process. Default 5,000. */
  readonly connectionsMax: number;
  /** Connections of one user in this process. Default 50. */
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
