import type { Socket } from 'node:net';
import type pg from 'pg';

/**
 * Connection of a `pg` client, with the members that this package uses. Submitted queries receive it. The declared
 * types of `pg` do not list these members, so `contract.test.ts` checks each of them in the installed version.
 */
export type Wire = {
  /** Socket; after the TLS handshake the encrypted one. */
  readonly stream: Socket;
  /** Texts of the prepared statements, by name. */
  readonly parsedStatements: Record<string, string | undefined>;
  /** Texts of statements sent for preparation and not yet confirmed. */
  readonly submittedNamedStatements: Record<string, string | undefined>;
  /** Sends one or more statements as a simple query. */
  query(text: string): void;
  /** Ends the input of a `COPY ... FROM STDIN`. */
  endCopyFrom(): void;
  /** Refuses the input request of a `COPY ... FROM STDIN`. */
  sendCopyFail(reason: string): void;
  /** Ends the transaction of an exchange. */
  sync(): void;
  on(event: 'parameterStatus', hear: (told: ParameterStatus) => void): unknown;
  on(event: 'readyForQuery', hear: () => void): unknown;
  on(event: 'rowDescription', hear: (message: unknown) => void): unknown;
  on(event: 'errorMessage', hear: (error: { readonly code?: string }) => void): unknown;
  /** Emitted between the server's consent to TLS and the handshake. */
  once(event: 'sslconnect', hear: () => void): unknown;
};

/** Setting that the server reports without a request. */
export type ParameterStatus = { readonly parameterName: string; readonly parameterValue: string };

/** Returns the connection of a client. */
export const wireOf = (client: pg.ClientBase): Wire =>
  (client as unknown as { readonly connection: Wire }).connection;
